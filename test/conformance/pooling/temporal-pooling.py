import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

h = torch.randn(4, 60, 32, device="cuda", requires_grad=True)
a = F.max_pool1d(h.transpose(1, 2), 3, 2, 1).transpose(1, 2)
mem("strided max")
b = F.adaptive_max_pool1d(h.transpose(1, 2), 5)
mem("adaptive max")
c = F.adaptive_avg_pool1d(h.transpose(1, 2), 1).squeeze(-1)
mem("mean")
(a.sum() + b.sum() + c.sum()).backward()
mem("backward")
