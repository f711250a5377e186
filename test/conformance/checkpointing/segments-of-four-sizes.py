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

net = nn.ModuleList(Block(96, 0.1) for _ in range(6)).cuda()
x = torch.randn(8, 30, 96, device="cuda")
def run(lo, hi):
    def f(h):
        for i in range(lo, hi):
            h = net[i](h)
        return h
    return f
mem("built")
for size in (1, 2, 3, 6):
    h = x
    for lo in range(0, 6, size):
        h = checkpoint(run(lo, lo + size), h, use_reentrant=False)
        mem(f"{size} forward")
    h.sum().backward(); mem("backward")
    net.zero_grad()
    del h
def outer(h):
    for lo in range(0, 6, 2):
        h = checkpoint(run(lo, lo + 2), h, use_reentrant=False)
    return h
h = checkpoint(outer, x, use_reentrant=False); mem("nested")
h.sum().backward(); mem("backward")
