import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(3, 16, 25, 31, device="cuda", requires_grad=True)
levels = [F.adaptive_avg_pool2d(x, n).flatten(1) for n in (1, 2, 4)] + [F.adaptive_max_pool2d(x, n).flatten(1) for n in (1, 3)]
mem("levels")
y = torch.cat(levels, 1)
mem("joined")
y.mean().backward()
mem("backward")
