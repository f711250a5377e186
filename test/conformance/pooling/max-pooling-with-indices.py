import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(2, 6, 24, 24, device="cuda", requires_grad=True)
y, i = F.max_pool2d(x, 2, return_indices=True)
mem("pooled")
z = F.max_unpool2d(y * 2, i, 2)
mem("unpooled")
z.sum().backward()
mem("backward")
