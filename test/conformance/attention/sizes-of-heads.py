import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

for D in (20, 36, 40, 60, 100):
    for dt in (torch.float16, torch.float32):
        q, k, v = (torch.randn(2, 3, 45, D, device="cuda", dtype=dt, requires_grad=True) for _ in range(3))
        mem(f"{D} {dt}")
        o = F.scaled_dot_product_attention(q, k, v)
        mem(f"forward {tuple(o.shape)} {o.stride()}")
        o.sum().backward()
        mem("backward")
        with torch.no_grad():
            o = F.scaled_dot_product_attention(q, k, v, scale=0.2)
        mem("no grad")
        del o, q, k, v
