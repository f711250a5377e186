import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(30, 40, device="cuda", requires_grad=True)
h = x * 2
h[0] = 0
mem("row zero")
h[1:4] = x[5:8] * 3
mem("rows copied")
h[:, ::2] *= 0.5
mem("columns scaled")
h[[7, 9]] += 1
mem("listed rows")
h[h.detach() > 1] = 0.1
mem("mask fill")
h.sum().backward()
mem("backward")
