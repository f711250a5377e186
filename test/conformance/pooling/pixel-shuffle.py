import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(2, 12, 24, 24, device="cuda", requires_grad=True)
c = nn.Conv2d(12, 48, 3, padding=1).cuda()
y = F.pixel_shuffle(c(x), 2)
mem("shuffled")
d = F.pixel_unshuffle(y, 2)
mem("back")
(y.mean() + d.mean()).backward()
mem("backward")
