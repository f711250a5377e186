import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

net = nn.Linear(100, 100).cuda()
for step in range(3):
    y = net(torch.randn(20, 100, device="cuda"))
    s, _ = y.sort(-1, descending=True)
    loss = (s * torch.linspace(1, 0, 100, device="cuda")).sum()
    mem(f"loss {step}")
    loss.backward()
    mem("backward")
    net.zero_grad()
    mem("cleared")
