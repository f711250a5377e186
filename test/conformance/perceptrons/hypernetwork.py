import torch, torch.nn as nn
class Hyper(nn.Module):
    def __init__(self): super().__init__(); self.g = nn.Linear(16, 40 * 30 + 30)
    def forward(self, z, x):
        p = self.g(z); w, b = p[:1200].view(30, 40), p[1200:]
        return torch.nn.functional.linear(x, w, b)
m = Hyper().cuda(); z, x = torch.randn(16, device="cuda"), torch.randn(70, 40, device="cuda")
y = m(z, x); print("fwd", torch.cuda.memory_allocated())
y.sum().backward(); print("bwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
bil = nn.Bilinear(20, 30, 10).cuda(); a, b = torch.randn(25, 20, device="cuda", requires_grad=True), torch.randn(25, 30, device="cuda")
o = bil(a, b); print("bilinear", torch.cuda.memory_allocated()); o.sum().backward(); print("bwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
