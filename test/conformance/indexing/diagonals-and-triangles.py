import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

a = torch.randn(60, 60, device="cuda", requires_grad=True)
d = a.diagonal() + a.diagonal(2).sum()
mem("diagonals")
t = a.tril() + a.triu(1)
mem("triangles")
p = a[torch.randperm(60, device="cuda")][:, torch.randperm(60, device="cuda")]
mem("permuted")
e = torch.diag_embed(d)
mem("embedded")
f = a.flip(0) + a.roll(3, 1)
mem("flipped")
(t * e + p + f).sum().backward()
mem("backward")
