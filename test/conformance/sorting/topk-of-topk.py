import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(32, 8, 64, device="cuda", requires_grad=True)
a, ia = x.topk(4, -1)
mem("inner")
b, ib = a.sum(-1).topk(2, -1)
mem("outer")
c = x.gather(1, ib[..., None].expand(-1, -1, 64))
mem("rows")
(b.sum() + c.mean()).backward()
mem("backward")
