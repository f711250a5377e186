import torch, torch.nn as nn
import torch.nn.functional as F
class GatedMLP(nn.Module):
    def __init__(self, d, h, act):
        super().__init__(); self.w = nn.Linear(d, 2 * h); self.o = nn.Linear(h, d); self.act = act
    def forward(self, x): return self.o(self.act(self.w(x)))
x = torch.randn(6, 50, 112, device="cuda", requires_grad=True)
acts = {"glu": F.glu, "swiglu": lambda t: F.silu(t[..., :200]) * t[..., 200:], "geglu": lambda t: (lambda a, b: a * F.gelu(b))(*t.chunk(2, -1)), "reglu": lambda t: (lambda a, b: a * b.relu())(*t.split(200, -1)),
        "tanhglu": lambda t: torch.mul(*(f(u) for f, u in zip((torch.tanh, torch.sigmoid), t.unflatten(-1, (2, 200)).unbind(-2))))}
for n, a in acts.items():
    m = GatedMLP(112, 200, a).cuda()
    torch.cuda.reset_peak_memory_stats(); b = torch.cuda.memory_allocated()
    y = m(x); print(n, torch.cuda.memory_allocated() - b)
    y.mean().backward(); print(n, torch.cuda.memory_allocated() - b, torch.cuda.max_memory_allocated() - b)
    del m, y; x.grad = None
