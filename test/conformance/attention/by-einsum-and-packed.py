import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

q, k, v = (torch.randn(2, 66, 4, 24, device="cuda", requires_grad=True) for _ in range(3))
mem("start")
s = torch.einsum("bqhd,bkhd->bhqk", q, k); mem("scores")
s = s / 24 ** 0.5
p = torch.softmax(s, dim=-1); mem("softmax")
o = torch.einsum("bhqk,bkhd->bqhd", p, v); mem("out")
o.sum().backward(); mem("backward")
del s, p, o
q.grad = k.grad = v.grad = None
o = F.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)).transpose(1, 2)
mem("sdpa")
o.sum().backward(); mem("backward")
del o
h = torch.randn(2, 66, 3, 4, 24, device="cuda", dtype=torch.half, requires_grad=True)
a, b, c = h.unbind(2)
o = F.scaled_dot_product_attention(a.transpose(1, 2), b.transpose(1, 2), c.transpose(1, 2), dropout_p=0.1)
mem("packed half")
o.transpose(1, 2).reshape(2, 66, 96).sum().backward(); mem("backward")
