import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

torch.backends.cudnn.enabled = False

x = torch.randn(6, 4, 20, device="cuda")
for net in (nn.RNN(20, 16), nn.RNN(20, 16, 2, nonlinearity="relu"), nn.RNN(20, 16, bidirectional=True)):
    net = net.cuda()
    y, h = net(x)
    mem("forward")
    y.square().mean().backward()
    mem("backward")
