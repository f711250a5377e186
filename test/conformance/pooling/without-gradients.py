import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(4, 16, 32, 32, device="cuda")
net = nn.Sequential(nn.MaxPool2d(3, 2, 1), nn.AvgPool2d(2), nn.AdaptiveMaxPool2d(4), nn.Flatten())
with torch.no_grad():
    y = net(x)
    mem("inference")
y = net(x)
mem("no parameter")
