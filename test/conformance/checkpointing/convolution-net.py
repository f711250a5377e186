import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class Block(nn.Module):
    def __init__(self, d, p=0.0):
        super().__init__()
        self.n = nn.LayerNorm(d)
        self.a, self.b = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.p = p
    def forward(self, x):
        return x + F.dropout(self.b(F.gelu(self.a(self.n(x)))), self.p, self.training)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU())
        self.c2 = nn.Sequential(nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2))
        self.c3 = nn.Sequential(nn.Conv2d(32, 32, 3, padding=1), nn.GroupNorm(4, 32), nn.SiLU())
        self.head = nn.Linear(32, 5)
        self.on = True
    def forward(self, x):
        for c in (self.c1, self.c2, self.c3):
            x = checkpoint(c, x, use_reentrant=False) if self.on else c(x)
        return self.head(x.mean((2, 3)))
net = Net().cuda()
x = torch.randn(4, 3, 24, 24, device="cuda")
for on in (True, False):
    net.on = on
    y = net(x); mem(f"{on} forward")
    y.sum().backward(); mem("backward")
    net.zero_grad(); del y
seq = nn.Sequential(*[nn.Sequential(nn.Linear(64, 64), nn.ReLU()) for _ in range(9)]).cuda()
z = torch.randn(50, 64, device="cuda", requires_grad=True)
for n in (2, 3, 4):
    for re in (False, True):
        y = checkpoint_sequential(seq, n, z, use_reentrant=re); mem(f"{n} {re}")
        y.sum().backward(); mem("backward")
        seq.zero_grad(); z.grad = None
