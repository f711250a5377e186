import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(30, 40, 20, device="cuda", requires_grad=True)
for d in range(3):
    v, i = x.sort(dim=d)
    print(v.stride(), i.stride())
    mem(f"dim {d}")
    v.mul(2).sum().backward()
    mem("backward")
    x.grad = None
v, i = x.transpose(0, 2).sort(stable=True, dim=1)
print(v.stride(), i.stride())
mem("transposed")
