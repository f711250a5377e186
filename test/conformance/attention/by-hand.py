import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class Manual(nn.Module):
    def __init__(self, d, h, T, p):
        super().__init__()
        self.h = h
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.register_buffer("bias", torch.tril(torch.ones(T, T)).view(1, 1, T, T))
        self.ad, self.rd = nn.Dropout(p), nn.Dropout(p)
    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (t.view(B, T, self.h, C // self.h).transpose(1, 2) for t in (q, k, v))
        att = (q @ k.transpose(-2, -1)) * (1.0 / (k.size(-1) ** 0.5))
        att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        y = self.ad(att) @ v
        return self.rd(self.o(y.transpose(1, 2).contiguous().view(B, T, C)))
for p in (0.0, 0.2):
    m = Manual(128, 4, 100, p).cuda()
    x = torch.randn(3, 75, 128, device="cuda", requires_grad=True)
    mem("built")
    y = m(x); mem("forward")
    y.sum().backward(); mem("backward")
    del y, x, m
