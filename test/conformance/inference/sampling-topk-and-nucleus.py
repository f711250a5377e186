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

m = GPT(tie=False).cuda().eval()
ids = torch.randint(0, 503, (3, 50), device="cuda")
mem("built")
with torch.inference_mode():
    logits = m(ids); mem("forward")
    p = F.softmax(logits[:, -1] / 0.8, -1); mem("softmax")
    v, i = p.topk(20, -1); mem("topk")
    p2 = torch.zeros_like(p).scatter_(-1, i, v); mem("scatter")
    s, si = torch.sort(p2, descending=True); mem("sort")
    c = s.cumsum(-1); mem("cumsum")
    s = s.masked_fill(c - s > 0.9, 0.0)
    mem("masked")
    t = torch.multinomial(p, 1); mem("sample")
    lp = F.log_softmax(logits, -1).gather(-1, ids.unsqueeze(-1)).squeeze(-1); mem("log probs")
    print(lp.shape, t.shape)
    del logits, p, v, i, p2, s, si, c, lp
mem("cleared")
y = m(ids); mem("with grad")
y = m(ids); mem("again")
y = y.detach(); mem("detached")
