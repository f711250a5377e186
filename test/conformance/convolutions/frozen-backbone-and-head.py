import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

back = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Conv2d(16, 16, 3), nn.ReLU()).cuda().requires_grad_(False)
head = nn.Conv2d(16, 5, 1).cuda()
x = torch.randn(4, 3, 30, 30, device="cuda")
mem("built")
f = back(x)
mem("features")
y = head(f).mean((2, 3))
mem("logits")
y.sum().backward()
mem("backward")
for p in back[2].parameters():
    p.requires_grad_(True)
del f, y
y = head(back(x)).mean((2, 3))
mem("half trained")
y.sum().backward()
mem("backward")
