import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

q, k, v = (torch.randn(2, 4, 64, 64, device="cuda", dtype=torch.bfloat16, requires_grad=True) for _ in range(3))
o = F.scaled_dot_product_attention(q, k, v)
mem("once")
o2 = F.scaled_dot_product_attention(o, k, v, is_causal=True)
mem("twice")
g = torch.autograd.grad(o2.sum(), [q, k, v], retain_graph=True); mem("grad")
del g
o2.sum().backward(); mem("backward")
del o, o2
q32 = q.detach().float().requires_grad_()
o = F.scaled_dot_product_attention(q32, k.detach().float(), v.detach().float()); mem("only q")
o.sum().backward(); mem("backward")
del o
o = F.scaled_dot_product_attention(q32.detach(), k.detach().float(), v.detach().float().requires_grad_()); mem("only v")
o.sum().backward(); mem("backward")
o = F.scaled_dot_product_attention(q32, q32, q32); mem("shared")
o.sum().backward(); mem("backward")
