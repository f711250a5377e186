import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

d = nn.Sequential(nn.Conv2d(3, 8, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(8, 16, 4, 2, 1), nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(16 * 8 * 8, 1)).cuda()
x = torch.randn(4, 3, 32, 32, device="cuda", requires_grad=True)
s = d(x).sum()
mem("score")
g, = torch.autograd.grad(s, x)
mem("gradient")
(g.flatten(1).norm(dim=1) - 1).pow(2).mean()
mem("penalty")
