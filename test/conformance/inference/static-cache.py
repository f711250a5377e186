import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class StaticCache:
    def __init__(self, n, B, H, T, D, dt):
        self.k = [torch.zeros(B, H, T, D, device="cuda", dtype=dt) for _ in range(n)]
        self.v = [torch.zeros(B, H, T, D, device="cuda", dtype=dt) for _ in range(n)]
    def update(self, i, k, v, pos):
        self.k[i].index_copy_(2, pos, k)
        self.v[i].index_copy_(2, pos, v)
        return self.k[i], self.v[i]
class Layer(nn.Module):
    def __init__(self, d, h, kv):
        super().__init__()
        self.h, self.kv, self.hd = h, kv, d // h
        self.q, self.k, self.v, self.o = nn.Linear(d, d, bias=False), nn.Linear(d, kv * self.hd, bias=False), nn.Linear(d, kv * self.hd, bias=False), nn.Linear(d, d, bias=False)
        self.g, self.u, self.d = nn.Linear(d, 2 * d, bias=False), nn.Linear(d, 2 * d, bias=False), nn.Linear(2 * d, d, bias=False)
        self.n1, self.n2 = nn.RMSNorm(d), nn.RMSNorm(d)
    def forward(self, x, i, cache, pos, mask):
        B, T, _ = x.shape
        h = self.n1(x)
        q = self.q(h).view(B, T, self.h, self.hd).transpose(1, 2)
        k = self.k(h).view(B, T, self.kv, self.hd).transpose(1, 2)
        v = self.v(h).view(B, T, self.kv, self.hd).transpose(1, 2)
        k, v = cache.update(i, k, v, pos)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[None, None, pos], enable_gqa=True)
        x = x + self.o(y.transpose(1, 2).reshape(B, T, -1))
        return x + self.d(F.silu(self.g(self.n2(x))) * self.u(self.n2(x)))
for dt in (torch.float32, torch.bfloat16):
    net = nn.ModuleList(Layer(128, 8, 2) for _ in range(2)).cuda().to(dt).eval()
    cache = StaticCache(2, 2, 2, 64, 16, dt)
    mask = torch.tril(torch.ones(64, 64, dtype=torch.bool, device="cuda"))
    mem("built")
    with torch.no_grad():
        x = torch.randn(2, 21, 128, device="cuda", dtype=dt)
        pos = torch.arange(21, device="cuda")
        for step in range(3):
            h = x
            for i, l in enumerate(net):
                h = l(h, i, cache, pos, mask)
            mem(f"step {step}")
            x = h[:, -1:]
            pos = pos[-1:] + 1
    del net, cache, mask, x, pos, h
