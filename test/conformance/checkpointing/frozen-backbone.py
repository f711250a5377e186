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

net = nn.ModuleList(Block(64) for _ in range(3)).cuda().requires_grad_(False)
head = nn.Linear(64, 8).cuda()
x = torch.randn(50, 64, device="cuda")
mem("built")
h = x
for b in net:
    h = checkpoint(b, h, use_reentrant=False)
head(h).sum().backward(); mem("frozen backbone")
del h
x.requires_grad_()
h = x
for b in net:
    h = checkpoint(b, h, use_reentrant=False)
mem("forward")
head(h).sum().backward(); mem("input grad")
emb = nn.Embedding(100, 64).cuda()
ids = torch.randint(0, 100, (5, 10), device="cuda")
f = checkpoint(lambda i: net[0](emb(i)), ids, use_reentrant=False); mem("from ids")
f.sum().backward(); mem("backward")
