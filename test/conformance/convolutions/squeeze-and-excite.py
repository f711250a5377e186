import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(4, 32, 20, 20, device="cuda", requires_grad=True)
a, b = nn.Conv2d(32, 8, 1).cuda(), nn.Conv2d(8, 32, 1).cuda()
s = x.mean((2, 3), keepdim=True)
s = torch.sigmoid(b(F.relu(a(s))))
mem("gates")
y = x * s
mem("scaled")
y.sum().backward()
mem("backward")
