import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

cell = nn.RNNCell(10, 20, nonlinearity="relu").cuda()
h = torch.zeros(3, 20, device="cuda")
for t in range(5):
    h = cell(torch.randn(3, 10, device="cuda"), h)
mem("unrolled")
h.mean().backward()
mem("backward")
nn.utils.clip_grad_norm_(cell.parameters(), 1.0)
mem("clipped")
