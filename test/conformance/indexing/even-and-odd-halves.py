import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

q = torch.randn(2, 6, 50, 32, device="cuda", requires_grad=True)
ang = torch.outer(torch.arange(50, device="cuda").float(), 1.0 / 10000 ** (torch.arange(0, 32, 2, device="cuda") / 32))
cos, sin = ang.cos(), ang.sin()
mem("angles")
a, b = q[..., ::2], q[..., 1::2]
rot = torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)
mem("rotated")
out = torch.empty_like(q)
out[..., ::2] = a.detach() * cos
out[..., 1::2] = b.detach() * sin
mem("in place")
rot.sum().backward()
mem("backward")
