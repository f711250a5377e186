import torch, torch.nn as nn
class GMLP(nn.Module):
    def __init__(self, d, f, n):
        super().__init__(); self.norm, self.p1, self.sn = nn.LayerNorm(d), nn.Linear(d, 2 * f), nn.LayerNorm(f)
        self.sp = nn.Conv1d(n, n, 1); self.p2 = nn.Linear(f, d); nn.init.constant_(self.sp.bias, 1.0)
    def forward(self, x):
        r = x; x = torch.nn.functional.gelu(self.p1(self.norm(x))); u, v = x.chunk(2, -1)
        v = self.sp(self.sn(v)); return self.p2(u * v) + r
m = nn.Sequential(GMLP(48, 96, 33), GMLP(48, 96, 33)).cuda(); x = torch.randn(5, 33, 48, device="cuda")
y = m(x); print("fwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated()); y.mean().backward(); print("bwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
