import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(2, 3, 64, 64, device="cuda", requires_grad=True)
levels = [x]
for _ in range(3):
    levels.append(F.interpolate(levels[-1], scale_factor=0.5, mode="bilinear", align_corners=False))
    mem("down")
lap = [a - F.interpolate(b, size=a.shape[-2:], mode="bilinear", align_corners=False) for a, b in zip(levels, levels[1:])]
mem("laplacian")
sum(l.abs().mean() for l in lap).backward()
mem("backward")
