import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

def block(i, o, s):
    return nn.Sequential(nn.Conv2d(i, i, 3, s, 1, groups=i, bias=False), nn.BatchNorm2d(i), nn.ReLU6(), nn.Conv2d(i, o, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU6())
net = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), block(8, 16, 1), block(16, 32, 2), block(32, 32, 1)).cuda()
mem("built")
y = net(torch.randn(4, 3, 40, 40, device="cuda"))
mem("forward")
y.mean().backward()
mem("backward")
net.eval()
with torch.no_grad():
    net(torch.randn(4, 3, 40, 40, device="cuda"))
    mem("eval")
