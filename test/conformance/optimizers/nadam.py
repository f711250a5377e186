import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

net = nn.Sequential(nn.Linear(300, 500), nn.ReLU(), nn.Linear(500, 300), nn.LayerNorm(300), nn.Linear(300, 7, bias=False)).cuda()
x = torch.randn(16, 300, device="cuda")
for kw in (dict(), dict(foreach=False), dict(weight_decay=0.1), dict(decoupled_weight_decay=True, weight_decay=0.1), dict(capturable=True)):
    opt = torch.optim.NAdam(net.parameters(), **kw)
    mem(f"built {sorted(kw)}")
    for i in range(3):
        net(x).square().mean().backward()
        mem(f"{i} backward")
        opt.step()
        mem(f"{i} step")
        opt.zero_grad()
        mem(f"{i} zero_grad")
    print(sorted(next(iter(opt.state.values()))))
    del opt
mem("end")
