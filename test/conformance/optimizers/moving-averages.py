import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

import copy
net = nn.Sequential(nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 128)).cuda()
ema = copy.deepcopy(net).requires_grad_(False)
mem("ema")
opt = torch.optim.Adam(net.parameters())
x = torch.randn(8, 128, device="cuda")
for i in range(2):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
    with torch.no_grad():
        for e, p in zip(ema.parameters(), net.parameters()):
            e.mul_(0.99).add_(p, alpha=0.01)
    mem(f"{i} ema loop")
    with torch.no_grad():
        torch._foreach_lerp_(list(ema.parameters()), list(net.parameters()), 0.01)
    mem(f"{i} ema lerp")
avg = torch.optim.swa_utils.AveragedModel(net)
mem("averaged")
avg.update_parameters(net); mem("update 1")
avg.update_parameters(net); mem("update 2")
with torch.no_grad():
    for p in net.parameters():
        p.sub_(0.1 * p.grad) if p.grad is not None else None
mem("by hand")
