import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

net = nn.Sequential(nn.Linear(64, 64), nn.Linear(64, 64)).cuda()
half = nn.Linear(64, 64).cuda().half()
params = list(net.parameters()) + list(half.parameters())
opt = torch.optim.AdamW(params, lr=1e-3)
x = torch.randn(4, 64, device="cuda")
for i in range(2):
    (half(net(x).half()).float().sum()).backward(); mem("backward")
    torch.nn.utils.clip_grad_norm_(params, 1.0); mem("clip")
    opt.step(); mem("step")
    opt.zero_grad(); mem("zero")
frozen = nn.Linear(64, 64).cuda().requires_grad_(False)
opt = torch.optim.SGD([p for p in [*params, *frozen.parameters()] if p.requires_grad], lr=0.1, momentum=0.9)
(frozen(net(x))).sum().backward(); mem("some grads")
opt.step(); mem("step")
print(len(opt.state))
