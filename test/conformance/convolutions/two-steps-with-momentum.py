import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

net = nn.Sequential(nn.Conv2d(1, 6, 5), nn.Tanh(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 5), nn.Tanh(), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(256, 84), nn.Tanh(), nn.Linear(84, 10)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for step in range(2):
    opt.zero_grad()
    y = net(torch.randn(16, 1, 28, 28, device="cuda"))
    mem(f"forward {step}")
    F.nll_loss(y.log_softmax(1), torch.randint(0, 10, (16,), device="cuda")).backward()
    mem("backward")
    opt.step()
    mem("step")
