import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(4, 3, 400, device="cuda", requires_grad=True)
w = x.unfold(-1, 50, 25)
mem(f"windows {tuple(w.shape)}")
e = w.pow(2).mean(-1)
mem("energy")
f = w.permute(0, 2, 1, 3).reshape(4, -1, 150)
mem("copied")
s = x.detach().as_strided((4, 3, 8, 50), (1200, 400, 50, 1))
mem("strided")
e.sum().backward()
mem("backward")
