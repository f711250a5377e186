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

net = nn.ModuleList(Block(128) for _ in range(4)).cuda()
x = torch.randn(6, 40, 128, device="cuda", requires_grad=True)
mem("built")
for mode in (None, False, True):
    h = x
    for b in net:
        h = b(h) if mode is None else checkpoint(b, h, use_reentrant=mode)
        mem(f"{mode} forward")
    loss = h.pow(2).mean(); mem("loss")
    loss.backward(); mem("backward")
    net.zero_grad(); x.grad = None
    del h, loss
    mem("zero")
