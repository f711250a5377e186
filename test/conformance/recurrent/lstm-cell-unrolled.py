import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

cell = nn.LSTMCell(20, 24).cuda()
out = nn.Linear(24, 5).cuda()
x = torch.randn(8, 6, 20, device="cuda")
h = c = torch.zeros(6, 24, device="cuda")
loss = 0
for t in range(8):
    h, c = cell(x[t], (h, c))
    loss = loss + out(h).square().mean()
    mem(f"step {t}")
loss.backward()
mem("backward")
