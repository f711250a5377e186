import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

net = nn.Sequential(nn.Linear(100, 200), nn.Tanh(), nn.Linear(200, 50)).cuda()
x = torch.randn(8, 100, device="cuda")
decay = [p for p in net.parameters() if p.dim() > 1]
rest = [p for p in net.parameters() if p.dim() <= 1]
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0, "lr": 1e-4}], lr=1e-3)
mem("groups")
for i in range(2):
    loss = net(x).pow(2).mean()
    loss.backward(); mem("backward")
    opt.step(); mem("step")
    opt.zero_grad(set_to_none=False); mem("zeros")
opt.add_param_group({"params": nn.Parameter(torch.zeros(70, 70, device="cuda"))})
mem("added")
loss = net(x).pow(2).mean() + opt.param_groups[-1]["params"][0].sum()
loss.backward(); opt.step(); mem("stepped")
for g in opt.param_groups:
    g["lr"] *= 0.5
del opt, loss
mem("gone")
