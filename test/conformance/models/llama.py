import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class RMSNorm(nn.Module):
    def __init__(self, d, eps=1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(d)), eps
    def forward(self, x):
        dt = x.dtype
        x = x.float()
        x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
        return self.weight * x.to(dt)
def rope(q, cos, sin):
    a, b = q.chunk(2, -1)
    return q * cos + torch.cat((-b, a), -1) * sin
class Layer(nn.Module):
    def __init__(self, d, h, kv, f):
        super().__init__()
        self.h, self.kv, self.hd = h, kv, d // h
        self.n1, self.n2 = RMSNorm(d), RMSNorm(d)
        self.q, self.k, self.v, self.o = (nn.Linear(d, n * self.hd, bias=False) for n in (h, kv, kv, h))
        self.g, self.u, self.dn = nn.Linear(d, f, bias=False), nn.Linear(d, f, bias=False), nn.Linear(f, d, bias=False)
    def forward(self, x, cos, sin):
        B, T, C = x.shape
        y = self.n1(x)
        q, k, v = (l(y).view(B, T, -1, self.hd).transpose(1, 2) for l in (self.q, self.k, self.v))
        q, k = rope(q, cos, sin), rope(k, cos, sin)
        r = self.h // self.kv
        k, v = (t[:, :, None].expand(B, self.kv, r, T, self.hd).reshape(B, self.h, T, self.hd) for t in (k, v))
        x = x + self.o(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, T, C))
        return x + self.dn(F.silu(self.g(self.n2(x))) * self.u(self.n2(x)))
class Llama(nn.Module):
    def __init__(self, V=400, d=128, h=8, kv=2, n=3):
        super().__init__()
        self.e = nn.Embedding(V, d)
        self.layers = nn.ModuleList(Layer(d, h, kv, 344) for _ in range(n))
        self.n, self.head, self.hd = RMSNorm(d), nn.Linear(d, V, bias=False), d // h
    def forward(self, i):
        x = self.e(i)
        f = torch.outer(torch.arange(i.shape[1], device=i.device).float(), 1 / 10000 ** (torch.arange(0, self.hd, 2, device=i.device).float() / self.hd))
        f = torch.cat((f, f), -1)
        cos, sin = f.cos().to(x.dtype), f.sin().to(x.dtype)
        for l in self.layers:
            x = l(x, cos, sin)
        return self.head(self.n(x)).float()
for dt in (torch.float32, torch.bfloat16):
    m = Llama().cuda().to(dt)
    i = torch.randint(0, 400, (2, 45), device="cuda")
    opt = torch.optim.AdamW(m.parameters())
    mem("built")
    for s in range(2):
        logits = m(i); mem("forward")
        loss = F.cross_entropy(logits[:, :-1].reshape(-1, 400), i[:, 1:].reshape(-1)); mem("loss")
        loss.backward(); mem("backward")
        opt.step(); opt.zero_grad(); mem("step")
    with torch.no_grad():
        m(i); mem("eval")
    del m, opt, logits, loss, i
