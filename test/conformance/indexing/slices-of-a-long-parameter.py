import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

pos = nn.Parameter(torch.randn(512, 64, device="cuda"))
tab = nn.Parameter(torch.randn(1, 512, 64, device="cuda"))
x = torch.randn(3, 77, 64, device="cuda")
y = x + pos[:77] + tab[:, :77] + pos[77]
mem("added")
y.sum().backward()
mem("backward")
pos.grad = tab.grad = None
mem("cleared")
z = pos[None, 10:20, :32] * tab[..., 500:510, -32:]
mem("views")
z.mean().backward()
mem("backward")
