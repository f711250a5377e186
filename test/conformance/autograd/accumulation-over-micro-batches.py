import torch

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


import torch.nn as nn

net = nn.Sequential(nn.Linear(200, 300), nn.ReLU(), nn.Linear(300, 50)).cuda()
data = torch.randn(256, 200, device="cuda")
for i, part in enumerate(data.split(64)):
    (net(part).square().mean() / 4).backward()
    mem(f"micro batch {i}")
net.zero_grad(set_to_none=False)
mem("zeroed")
net.zero_grad()
mem("None")
for p in net.parameters():
    p.grad = torch.zeros_like(p)
net(data).sum().backward()
mem("into given zeros")
with torch.no_grad():
    for p in net.parameters():
        p -= 0.1 * p.grad
    mem("p -= lr * grad")
    for p in net.parameters():
        p.sub_(p.grad, alpha=0.1)
        p.grad = None
    mem("sub_")
for p in net.parameters():
    p.data = p.data - 0.1
mem("data replaced")
net[0].requires_grad_(False)
net(data).sum().backward()
mem("first layer frozen")
d = (data.requires_grad_() * 2).detach_()
print(d.requires_grad, d.is_leaf)
