import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(6, 3, 40, 40, device="cuda", requires_grad=True)
parts = [img.mean() for img in x]
mem("iterated")
r, g, b = x[0]
gray = 0.3 * r + 0.6 * g + 0.1 * b
mem("channels")
crops = torch.stack([x[i, :, i:i + 20, 5:25] for i in range(6)])
mem("crops")
(torch.stack(parts).sum() + gray.sum() + crops.sum()).backward()
mem("backward")
