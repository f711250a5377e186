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

m = GPT(n=2).cuda().bfloat16()
opt = torch.optim.AdamW(m.parameters(), fused=True)
x = torch.randint(0, 503, (6, 80), device="cuda")
mem("built")
acc = 3
for step in range(2):
    for micro in range(acc):
        logits, loss = m(x[micro * 2 : micro * 2 + 2], x[micro * 2 : micro * 2 + 2])
        (loss / acc).backward(); mem(f"{step} micro {micro}")
    opt.step(); mem(f"{step} step")
    opt.zero_grad(set_to_none=step == 0); mem(f"{step} zero")
hist = []
for step in range(2):
    logits, loss = m(x, x)
    loss.backward()
    hist.append(loss.detach()); mem("kept loss")
    opt.step(); opt.zero_grad()
