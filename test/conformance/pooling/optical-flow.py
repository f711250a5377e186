import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

img = torch.randn(2, 3, 30, 40, device="cuda", requires_grad=True)
flow = torch.zeros(2, 30, 40, 2, device="cuda", requires_grad=True)
ys, xs = torch.meshgrid(torch.linspace(-1, 1, 30, device="cuda"), torch.linspace(-1, 1, 40, device="cuda"), indexing="ij")
base = torch.stack([xs, ys], -1)
mem("base")
w = F.grid_sample(img, base + flow, mode="bilinear", padding_mode="border", align_corners=False)
mem("warped")
w.mean().backward()
mem("backward")
