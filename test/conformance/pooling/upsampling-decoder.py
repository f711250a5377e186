import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

net = nn.Sequential(nn.Upsample(scale_factor=2, mode="bilinear"), nn.Conv2d(8, 4, 3, padding=1), nn.ReLU(), nn.UpsamplingNearest2d(scale_factor=2), nn.Conv2d(4, 1, 1)).cuda()
z = torch.randn(2, 8, 10, 10, device="cuda", requires_grad=True)
mem("built")
y = net(z)
mem("decoded")
y.sigmoid().mean().backward()
mem("backward")
