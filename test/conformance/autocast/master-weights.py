import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

net = nn.ModuleList([nn.Linear(160, 160) for _ in range(5)]).cuda().bfloat16()
master = [p.detach().float().clone() for p in net.parameters()]
opt = torch.optim.AdamW(master, lr=1e-3)
x = torch.randn(20, 160, device="cuda", dtype=torch.bfloat16)
mem("built")
for s in range(2):
    h = x
    for l in net:
        h = F.relu(l(h))
    loss = h.float().pow(2).mean(); mem("loss")
    loss.backward(); mem("backward")
    for m, p in zip(master, net.parameters()):
        m.grad = p.grad.float()
        p.grad = None
    mem("grads")
    opt.step(); mem("step")
    opt.zero_grad()
    with torch.no_grad():
        torch._foreach_copy_(list(net.parameters()), master)
    mem("copied")
sc = torch.amp.GradScaler()
outs = sc.scale([loss.detach(), loss.detach() * 2]); mem("list")
print(sc.get_scale() is not None, sc.is_enabled())
