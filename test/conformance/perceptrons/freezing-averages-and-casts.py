import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
net = nn.Sequential(*[nn.Linear(150, 150) for _ in range(5)]).cuda()
x = torch.randn(60, 150, device="cuda"); mem("built")
for k, l in enumerate(net):
    l.requires_grad_(k >= 3)
y = net(x); mem("last two"); y.sum().backward(); mem("bwd"); net.zero_grad()
for k, l in enumerate(net):
    l.requires_grad_(k < 2)
y = net(x); mem("first two"); y.sum().backward(); mem("bwd"); net.zero_grad()
for l in net: l.weight.requires_grad_(False); l.bias.requires_grad_(True)
y = net(x); mem("bias only"); y.sum().backward(); mem("bwd"); net.zero_grad(); del y
ema = {k: v.detach().clone() for k, v in net.state_dict().items()}; mem("ema")
for k, v in net.state_dict().items(): ema[k].mul_(0.99).add_(v, alpha=0.01)
mem("ema update")
for k, v in net.state_dict().items(): ema[k].lerp_(v, 0.1)
mem("lerp")
half = net.half(); mem("half"); half(x.half()).sum().backward() if any(p.requires_grad for p in half.parameters()) else None; mem("half bwd")
