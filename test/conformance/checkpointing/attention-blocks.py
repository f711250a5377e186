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

class Attn(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.qkv, self.o, self.h = nn.Linear(d, 3 * d), nn.Linear(d, d), h
    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        return x + self.o(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, T, C))
net = nn.Sequential(*[nn.Sequential(Attn(96, 4), Block(96)) for _ in range(3)]).cuda()
x = torch.randn(3, 64, 96, device="cuda")
mem("built")
for dt in (torch.float32, torch.bfloat16):
    net.to(dt)
    for re in (False,):
        h = x.to(dt)
        for b in net:
            h = checkpoint(b, h, use_reentrant=re)
            mem("forward")
        h.float().mean().backward(); mem("backward")
        net.zero_grad()
    h = x.to(dt).requires_grad_()
    for b in net:
        h = checkpoint(b, h, use_reentrant=True)
    h.float().mean().backward(); mem("reentrant")
    net.zero_grad(); del h
