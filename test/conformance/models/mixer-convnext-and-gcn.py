import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class MLPMixer(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.t = nn.Sequential(nn.Linear(n, 2 * n), nn.GELU(), nn.Linear(2 * n, n))
        self.c = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Dropout(0.1), nn.Linear(2 * d, d))
    def forward(self, x):
        x = x + self.t(self.n1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.c(self.n2(x))
net = nn.Sequential(*[MLPMixer(49, 80) for _ in range(3)]).cuda()
x = torch.randn(4, 49, 80, device="cuda")
mem("built")
y = net(x); mem("forward")
y.mean((1, 2)).sum().backward(); mem("backward")
class ConvNext(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.dw, self.n = nn.Conv2d(d, d, 7, padding=3, groups=d), nn.LayerNorm(d)
        self.p1, self.p2, self.g = nn.Linear(d, 4 * d), nn.Linear(4 * d, d), nn.Parameter(1e-6 * torch.ones(d))
    def forward(self, x):
        y = self.dw(x).permute(0, 2, 3, 1)
        y = self.g * self.p2(F.gelu(self.p1(self.n(y))))
        return x + y.permute(0, 3, 1, 2)
c = nn.Sequential(nn.Conv2d(3, 32, 4, 4), *[ConvNext(32) for _ in range(2)]).cuda()
z = torch.randn(2, 3, 32, 32, device="cuda")
y = c(z); mem("convnext")
y.mean().backward(); mem("backward")
del y
se = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(32, 8, 1), nn.ReLU(), nn.Conv2d(8, 32, 1), nn.Sigmoid()).cuda()
h = c(z); y = h * se(h); mem("squeeze")
y.sum().backward(); mem("backward")
gcn = nn.Linear(16, 8).cuda()
adj = torch.rand(40, 40, device="cuda"); f = torch.randn(40, 16, device="cuda")
d = adj.sum(1).rsqrt()
y = F.relu(d[:, None] * adj * d[None] @ gcn(f)); mem("gcn")
y.sum().backward(); mem("backward")
