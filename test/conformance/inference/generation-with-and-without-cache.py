import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.n1, self.n2, self.h = nn.LayerNorm(d), nn.LayerNorm(d), h
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(approximate="tanh"), nn.Linear(4 * d, d))
    def forward(self, x, cache=None):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.h, C // self.h).transpose(1, 2) for t in self.qkv(self.n1(x)).chunk(3, -1))
        if cache is not None:
            if "k" in cache:
                k, v = torch.cat([cache["k"], k], 2), torch.cat([cache["v"], v], 2)
            cache["k"], cache["v"] = k, v
        y = F.scaled_dot_product_attention(q, k, v, is_causal=T > 1)
        x = x + self.o(y.transpose(1, 2).reshape(B, T, C))
        return x + self.mlp(self.n2(x))
class GPT(nn.Module):
    def __init__(self, V=503, T=128, d=96, h=6, n=3, tie=True):
        super().__init__()
        self.te, self.pe = nn.Embedding(V, d), nn.Embedding(T, d)
        self.blocks = nn.ModuleList(Block(d, h) for _ in range(n))
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, V, bias=False)
        if tie:
            self.head.weight = self.te.weight
    def forward(self, i, targets=None, caches=None, start=0):
        x = self.te(i) + self.pe(torch.arange(start, start + i.shape[1], device=i.device))
        for n, b in enumerate(self.blocks):
            x = b(x, caches[n] if caches is not None else None)
        logits = self.head(self.norm(x))
        if targets is None:
            return logits
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))

@torch.no_grad()
def generate(m, ids, n, cached):
    caches = [{} for _ in m.blocks] if cached else None
    for i in range(n):
        if cached:
            x, start = (ids, 0) if i == 0 else (ids[:, -1:], ids.shape[1] - 1)
            logits = m(x, caches=caches, start=start)
        else:
            logits = m(ids)
        nxt = logits[:, -1].argmax(-1, keepdim=True)
        ids = torch.cat([ids, nxt], 1)
        mem(f"{cached} {i} {ids.shape[1]}")
    return ids
for dt in (torch.float32, torch.float16):
    m = GPT().cuda().to(dt).eval()
    ids = torch.randint(0, 503, (2, 37), device="cuda")
    mem("built")
    for cached in (True, False):
        out = generate(m, ids, 4, cached); mem("done")
    del m, ids, out
