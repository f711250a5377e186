import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class Attn(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(d, d, bias=False) for _ in range(4))
        self.h = h
    def forward(self, x, mask=None):
        B, T, C = x.shape
        q, k, v = (f(x).view(B, T, self.h, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None)
        return self.o(y.transpose(1, 2).reshape(B, T, C))
m = Attn(168, 7).cuda()
x = torch.randn(2, 90, 168, device="cuda", requires_grad=True)
mask = torch.ones(90, 90, dtype=torch.bool, device="cuda").tril()
mem("built")
for dt in (torch.bfloat16, torch.float16):
    for mk in (None, mask, mask.float()):
        with torch.autocast("cuda", dtype=dt):
            y = m(x, mk)
            mem("autocast forward")
        y.float().sum().backward()
        mem("backward")
        m.zero_grad(); x.grad = None
        with torch.no_grad(), torch.autocast("cuda", dtype=dt):
            y = m(x, mk)
            mem("autocast no grad")
        del y
mem("end")
