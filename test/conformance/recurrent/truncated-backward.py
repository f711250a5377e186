import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

cell = nn.LSTMCell(16, 16).cuda()
h = c = torch.zeros(4, 16, device="cuda")
for chunk in range(3):
    h, c = h.detach(), c.detach()
    for t in range(4):
        h, c = cell(torch.randn(4, 16, device="cuda"), (h, c))
    mem(f"chunk {chunk}")
    h.sum().backward()
    mem("backward")
