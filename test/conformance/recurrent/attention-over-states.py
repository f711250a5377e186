import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

cell = nn.RNNCell(16, 16).cuda()
states = []
h = torch.zeros(4, 16, device="cuda")
for t in range(6):
    h = cell(torch.randn(4, 16, device="cuda"), h)
    states.append(h)
m = torch.stack(states, 1)
mem("stacked")
a = (m @ h.unsqueeze(-1)).softmax(1)
c = (a * m).sum(1)
mem("context")
c.square().mean().backward()
mem("backward")
