import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(70, 80, device="cuda", requires_grad=True)
v, i = x.max(1)
mem("max dim")
w = x.amin(0)
mem("amin")
m = x.max() - x.min()
mem("all")
(v.sum() + w.sum() + m).backward()
mem("backward")
a = x.argmin(1, keepdim=True)
k = x.detach().aminmax()
mem("indices")
