import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

net = nn.Sequential(nn.Conv3d(1, 4, 3, padding=1), nn.InstanceNorm3d(4), nn.LeakyReLU(), nn.Conv3d(4, 8, 3, 2, 1), nn.ConvTranspose3d(8, 2, 2, 2)).cuda()
x = torch.randn(1, 1, 16, 16, 16, device="cuda")
mem("built")
y = net(x)
mem(f"forward {tuple(y.shape)}")
y.square().mean().backward()
mem("backward")
