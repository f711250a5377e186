import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
def drop_path(x, p, training):
    if p == 0.0 or not training: return x
    keep = 1 - p
    shape = (x.shape[0],) + (1,) * (x.ndim - 1)
    mask = keep + torch.rand(shape, dtype=x.dtype, device=x.device)
    mask.floor_()
    return x.div(keep) * mask
class Block(nn.Module):
    def __init__(self, d, p):
        super().__init__(); self.f = nn.Linear(d, d); self.p = p
    def forward(self, x): return x + drop_path(self.f(x), self.p, self.training)
net = nn.Sequential(*[Block(200, p.item()) for p in torch.linspace(0, 0.3, 4)]).cuda()
x = torch.randn(32, 25, 200, device="cuda")
y = net(x); mem("train")
y.mean().backward(); mem("bwd")
net.eval()
y = net(x); mem("eval")
bern = torch.empty(32, 1, 1, device="cuda").bernoulli_(0.9); mem("bernoulli_")
z = y.detach() * bern / 0.9; mem("scaled")
b2 = torch.bernoulli(torch.full((32, 25), 0.5, device="cuda")); mem("bernoulli")
r = (torch.rand_like(z) > 0.5); mem("comparison mask")
w = z * r; mem("bool mask product")
