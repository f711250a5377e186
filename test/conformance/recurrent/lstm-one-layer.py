import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

torch.backends.cudnn.enabled = False

net = nn.LSTM(24, 32).cuda()
x = torch.randn(7, 5, 24, device="cuda", requires_grad=True)
mem("built")
y, (h, c) = net(x)
mem(f"forward {tuple(y.shape)} {y.stride()}")
(y.sum() + h.sum()).backward()
mem("backward")
del y, h, c
x.grad = None
with torch.no_grad():
    net(x)
    mem("inference")
