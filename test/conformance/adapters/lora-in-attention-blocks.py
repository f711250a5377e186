import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class LoRA(nn.Module):
    def __init__(self, base, r, alpha=16, p=0.0):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.a = nn.Linear(base.in_features, r, bias=False)
        self.b = nn.Linear(r, base.out_features, bias=False)
        nn.init.zeros_(self.b.weight)
        self.s, self.drop = alpha / r, nn.Dropout(p)
    def forward(self, x):
        return self.base(x) + self.b(self.a(self.drop(x))) * self.s

class Attn(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(d, d, bias=False) for _ in range(4))
        self.h = h
    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (f(x).view(B, T, self.h, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        return self.o(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, T, C))
class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.n1, self.n2, self.attn = nn.LayerNorm(d), nn.LayerNorm(d), Attn(d, h)
        self.up, self.down = nn.Linear(d, 3 * d, bias=False), nn.Linear(3 * d, d, bias=False)
    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.down(F.silu(self.up(self.n2(x))))
net = nn.Sequential(*[Block(128, 4) for _ in range(3)]).requires_grad_(False)
for b in net:
    b.attn.q, b.attn.v = LoRA(b.attn.q, 4), LoRA(b.attn.v, 4)
net.cuda().bfloat16()
for m in net.modules():
    if isinstance(m, LoRA):
        m.a.float(); m.b.float()
mem("mixed")
net.bfloat16()
x = torch.randn(2, 60, 128, device="cuda", dtype=torch.bfloat16)
opt = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad])
for i in range(2):
    y = net(x); mem("forward")
    y.float().mean().backward(); mem("backward")
    opt.step(); opt.zero_grad(); mem("step")
net.float()
with torch.autocast("cuda", dtype=torch.bfloat16):
    y = net(x.float()); mem("autocast")
y.float().sum().backward(); mem("backward")
