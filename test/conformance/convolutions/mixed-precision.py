import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

net = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.GELU(), nn.Conv2d(16, 16, 3, padding=1), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 4)).cuda()
x = torch.randn(4, 3, 32, 32, device="cuda")
with torch.autocast("cuda", torch.bfloat16):
    y = net(x)
    mem("forward")
    loss = y.float().square().mean()
mem("out")
loss.backward()
mem("backward")
h = net.half()
with torch.no_grad():
    h(x.half())
mem("half")
