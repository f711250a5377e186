import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(50, 200, device="cuda", requires_grad=True)
y = x.sort(-1).values
mem("sorted")
loss = (y[:, 1:] - y[:, :-1]).abs().mean()
mem("gaps")
loss.backward()
mem("backward")
