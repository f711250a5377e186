import torch

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


import torch.nn as nn
import torch.nn.functional as F

a = torch.randn(30, 20, device="cuda", requires_grad=True)
b = torch.randn(30, 25, device="cuda", requires_grad=True)
(a.t() @ a).sum().backward()
a.grad = None
layer = nn.Bilinear(20, 25, 7).cuda()
mem("layer")
y = layer(a, b)
mem("forward")
y.sum().backward()
mem("backward")
del y
layer.zero_grad()
a.grad = b.grad = None
torch.cuda.reset_peak_memory_stats()
y = F.bilinear(a.view(3, 10, 20), b.view(3, 10, 25), layer.weight)
mem("three dimensions, no bias")
y.sum().backward()
mem("backward")
