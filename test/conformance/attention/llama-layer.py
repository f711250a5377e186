import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class Attention(nn.Module):
    """Llama's: grouped heads, rotary tables"""
    def __init__(self, d, h, kv):
        super().__init__()
        self.h, self.kv, self.hd = h, kv, d // h
        self.wq, self.wk = nn.Linear(d, d, bias=False), nn.Linear(d, kv * self.hd, bias=False)
        self.wv, self.wo = nn.Linear(d, kv * self.hd, bias=False), nn.Linear(d, d, bias=False)
    def forward(self, x, cos, sin):
        B, T, _ = x.shape
        q = self.wq(x).view(B, T, self.h, self.hd).transpose(1, 2)
        k = self.wk(x).view(B, T, self.kv, self.hd).transpose(1, 2)
        v = self.wv(x).view(B, T, self.kv, self.hd).transpose(1, 2)
        rot = lambda t: torch.cat((-t[..., self.hd // 2 :], t[..., : self.hd // 2]), -1)
        q, k = q * cos + rot(q) * sin, k * cos + rot(k) * sin
        n = self.h // self.kv
        k = k[:, :, None].expand(B, self.kv, n, T, self.hd).reshape(B, self.h, T, self.hd)
        v = v[:, :, None].expand(B, self.kv, n, T, self.hd).reshape(B, self.h, T, self.hd)
        o = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.wo(o.transpose(1, 2).reshape(B, T, -1))
for dt in (torch.float32, torch.bfloat16):
    m = Attention(256, 8, 2).cuda().to(dt)
    T = 83
    inv = 1 / 10000 ** (torch.arange(0, 32, 2, device="cuda").float() / 32)
    f = torch.outer(torch.arange(T, device="cuda").float(), inv)
    cos, sin = torch.cat((f, f), -1).cos().to(dt), torch.cat((f, f), -1).sin().to(dt)
    x = torch.randn(2, T, 256, device="cuda", dtype=dt)
    mem("built")
    y = m(x, cos, sin); mem("forward")
    y.float().pow(2).mean().backward(); mem("backward")
    del y
    with torch.no_grad():
        y = m(x, cos, sin)
    mem("no grad")
    del m, x, y
