import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class CausalSelfAttention(nn.Module):
    def __init__(self, d, h, p):
        super().__init__()
        self.c_attn = nn.Linear(d, 3 * d)
        self.c_proj = nn.Linear(d, d)
        self.drop = nn.Dropout(p)
        self.h, self.d, self.p = h, d, p
    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.d, dim=2)
        k = k.view(B, T, self.h, C // self.h).transpose(1, 2)
        q = q.view(B, T, self.h, C // self.h).transpose(1, 2)
        v = v.view(B, T, self.h, C // self.h).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=self.p if self.training else 0, is_causal=True)
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.drop(self.c_proj(y))
for dt in (torch.float32, torch.bfloat16, torch.float16):
    m = CausalSelfAttention(192, 6, 0.1).cuda().to(dt)
    x = torch.randn(4, 77, 192, device="cuda", dtype=dt, requires_grad=True)
    mem("built")
    y = m(x); mem("forward")
    y.sum().backward(); mem("backward")
    m.eval()
    with torch.no_grad():
        y = m(x)
    mem("eval")
    del m, x, y
mem("end")
