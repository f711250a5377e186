import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(3, 1, 28, 28, device="cuda")
loc = nn.Sequential(nn.Flatten(), nn.Linear(784, 32), nn.ReLU(), nn.Linear(32, 6)).cuda()
mem("built")
theta = loc(x).view(-1, 2, 3)
grid = F.affine_grid(theta, x.size(), align_corners=False)
mem("grid")
y = F.grid_sample(x, grid, align_corners=False)
mem("sampled")
y.square().mean().backward()
mem("backward")
