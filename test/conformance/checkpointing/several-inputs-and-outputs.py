import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class Block(nn.Module):
    def __init__(self, d, p=0.0):
        super().__init__()
        self.n = nn.LayerNorm(d)
        self.a, self.b = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.p = p
    def forward(self, x):
        return x + F.dropout(self.b(F.gelu(self.a(self.n(x)))), self.p, self.training)

class Two(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.a, self.b = nn.Linear(d, d), nn.Linear(d, d)
    def forward(self, x, y, scale=1.0, flag=None):
        u = torch.tanh(self.a(x)) * scale
        v = torch.sigmoid(self.b(y))
        return u * v, u + v
m = Two(150).cuda()
x = torch.randn(70, 150, device="cuda", requires_grad=True)
y = torch.randn(70, 150, device="cuda")
mem("built")
for re in (False, True):
    p, q = checkpoint(m, x, y, 2.0, use_reentrant=re) if re else checkpoint(m, x, y, scale=2.0, use_reentrant=False)
    mem(f"{re} forward")
    (p.sum() + q.mean()).backward(); mem("backward")
    del p, q
    m.zero_grad(); x.grad = None
    p, q = checkpoint(m, x, y, use_reentrant=re)
    p.sum().backward(); mem("one output")
    del p, q
    m.zero_grad(); x.grad = None
with torch.no_grad():
    p, q = checkpoint(m, x, y, use_reentrant=False); mem("no grad")
p, q = checkpoint(m, x * 2, y + 1, use_reentrant=False); mem("temporaries")
(p.sum() + q.sum()).backward(); mem("backward")
