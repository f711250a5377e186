import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

n, e = 200, 900
x = torch.randn(n, 48, device="cuda", requires_grad=True)
src, dst = torch.randint(0, n, (2, e), device="cuda")
lin = nn.Linear(48, 48).cuda()
mem("graph")
msg = lin(x)[src]
mem("messages")
out = torch.zeros(n, 48, device="cuda").index_add_(0, dst, msg)
mem("aggregated")
deg = torch.zeros(n, device="cuda").index_add(0, dst, torch.ones(e, device="cuda")).clamp(min=1)
out = out / deg[:, None]
mem("mean")
out.relu().sum().backward()
mem("backward")
