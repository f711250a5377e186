import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.rand(64, 100, device="cuda", requires_grad=True)
s = x.cumsum(-1)
mem("sum")
s.mean().backward()
mem("backward")
y = torch.randint(0, 9, (64, 100), device="cuda").cumsum(0)
mem("integers")
