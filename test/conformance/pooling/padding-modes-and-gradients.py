import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(2, 3, 15, 17, device="cuda", requires_grad=True)
for mode in ("constant", "reflect", "replicate", "circular"):
    y = F.pad(x, (3, 2, 1, 4), mode=mode)
    mem(mode)
    y.square().sum().backward()
    mem("backward")
    x.grad = None
y = F.pad(x, (-1, 3), value=2.0)
mem("crop and fill")
