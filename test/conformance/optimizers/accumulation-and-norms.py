import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

net = nn.Sequential(*[nn.Linear(256, 256) for _ in range(6)]).cuda()
x = torch.randn(64, 256, device="cuda")
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
mem("built")
opt.zero_grad()
for micro in range(4):
    loss = net(x).square().mean() / 4
    loss.backward()
    mem(f"micro {micro}")
torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0, norm_type=1.0); mem("clip 1")
opt.step(); mem("step")
opt.zero_grad(); mem("zero")
grads = torch.autograd.grad(net(x).square().mean(), list(net.parameters())); mem("grad")
n = torch.nn.utils.get_total_norm(grads) if hasattr(torch.nn.utils, "get_total_norm") else None
mem("norm")
with torch.no_grad():
    for p, g in zip(net.parameters(), grads):
        p -= 0.1 * g
mem("manual")
del grads, n
hooked = []
for p in net.parameters():
    def hook(p):
        p.grad = None
    hooked.append(p.register_post_accumulate_grad_hook(hook))
net(x).square().mean().backward(); mem("freed in hooks")
