import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

for dt in (torch.float16, torch.float32):
    q = torch.randn(2, 8, 70, 64, device="cuda", dtype=dt, requires_grad=True)
    k = torch.randn(2, 2, 70, 64, device="cuda", dtype=dt, requires_grad=True)
    v = torch.randn(2, 2, 70, 64, device="cuda", dtype=dt, requires_grad=True)
    mem("qkv")
    o = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True); mem("gqa")
    o.sum().backward(); mem("backward")
    del o
    q.grad = k.grad = v.grad = None
    kr = k.repeat_interleave(4, 1); vr = v.repeat_interleave(4, 1)
    mem("repeated")
    o = F.scaled_dot_product_attention(q, kr, vr, is_causal=True); mem("sdpa")
    o.sum().backward(); mem("backward")
    del o, kr, vr
    q.grad = k.grad = v.grad = None
    ke = k[:, :, None].expand(2, 2, 4, 70, 64).reshape(2, 8, 70, 64)
    ve = v[:, :, None].expand(2, 2, 4, 70, 64).reshape(2, 8, 70, 64)
    o = F.scaled_dot_product_attention(q, ke, ve); mem("expanded")
    o.mean().backward(); mem("backward")
    del o, ke, ve, q, k, v
