import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(2, 5, 23, 27, device="cuda", requires_grad=True)
for kw in (dict(ceil_mode=True), dict(dilation=2), dict(padding=1), dict(stride=1), dict(stride=(3, 1), padding=(0, 1), ceil_mode=True)):
    y = F.max_pool2d(x, 3, **kw)
    mem(str(tuple(y.shape)))
    y.mean().backward()
    mem("backward")
    x.grad = None
