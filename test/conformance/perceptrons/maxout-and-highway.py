import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
class Maxout(nn.Module):
    def __init__(self, i, o, k): super().__init__(); self.l = nn.Linear(i, o * k); self.k = k
    def forward(self, x): return self.l(x).view(*x.shape[:-1], -1, self.k).max(-1)[0]
class Highway(nn.Module):
    def __init__(self, d): super().__init__(); self.h, self.t = nn.Linear(d, d), nn.Linear(d, d)
    def forward(self, x):
        t = torch.sigmoid(self.t(x)); return t * torch.relu(self.h(x)) + (1 - t) * x
m = nn.Sequential(Maxout(50, 64, 3), Highway(64), Highway(64), nn.Linear(64, 2)).cuda()
x = torch.randn(75, 50, device="cuda")
y = m(x); mem("fwd"); y.var().backward(); mem("bwd")
y = m(x); z = torch.where(y > 0, y, y * 0.1); mem("where"); z.abs().mean().backward(); mem("bwd")
y = m(x); z = torch.addcmul(y, y, y, value=0.5) + y.clamp(min=0.0) - y.clamp(-1, 1) + torch.maximum(y, -y); mem("mixed"); z.sum().backward(); mem("bwd")
y = m(x); z = y.pow(3) + y.sqrt().nan_to_num() + (y ** 2 + 1).log() + y.exp() + 2 ** y + y.atan(); mem("unary"); z.sum().backward(); mem("bwd")
