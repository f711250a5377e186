import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(2, 4, 20, 20, device="cuda", requires_grad=True)
for mode in ("zeros", "reflect", "replicate", "circular"):
    c = nn.Conv2d(4, 4, 5, padding=2, padding_mode=mode).cuda()
    y = c(x)
    mem(mode)
    y.mean().backward()
    mem("backward")
    x.grad = None
c = nn.Conv2d(4, 6, (3, 4), padding="same").cuda()
y = c(x)
mem("same")
y.mean().backward()
mem("backward")
