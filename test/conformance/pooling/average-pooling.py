import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

a = torch.randn(4, 8, 100, device="cuda", requires_grad=True)
b = torch.randn(4, 8, 20, 20, device="cuda", requires_grad=True)
c = torch.randn(2, 4, 10, 10, 10, device="cuda", requires_grad=True)
y = F.avg_pool1d(a, 4).sum() + F.avg_pool2d(b, 3, 2, 1).sum() + F.avg_pool3d(c, 2).sum()
mem("forward")
y.backward()
mem("backward")
