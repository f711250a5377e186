import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class UNet(nn.Module):
    def __init__(self, c=16):
        super().__init__()
        blk = lambda i, o: nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.SiLU(), nn.Conv2d(o, o, 3, padding=1), nn.GroupNorm(4, o), nn.SiLU())
        self.d1, self.d2, self.mid = blk(3, c), blk(c, 2 * c), blk(2 * c, 4 * c)
        self.u2, self.u1 = nn.ConvTranspose2d(4 * c, 2 * c, 2, 2), nn.ConvTranspose2d(2 * c, c, 2, 2)
        self.c2, self.c1, self.out = blk(4 * c, 2 * c), blk(2 * c, c), nn.Conv2d(c, 3, 1)
        self.t = nn.Sequential(nn.Linear(32, 4 * c), nn.SiLU(), nn.Linear(4 * c, 4 * c))
    def forward(self, x, t):
        f = torch.exp(-math.log(10000) * torch.arange(16, device=x.device) / 16)
        e = t[:, None].float() * f[None]
        e = self.t(torch.cat([e.sin(), e.cos()], -1))
        a = self.d1(x); b = self.d2(F.max_pool2d(a, 2)); m = self.mid(F.max_pool2d(b, 2)) + e[:, :, None, None]
        y = self.c2(torch.cat([self.u2(m), b], 1))
        y = self.c1(torch.cat([self.u1(y), a], 1))
        return self.out(y)
m = UNet().cuda()
x, t = torch.randn(4, 3, 16, 16, device="cuda"), torch.randint(0, 1000, (4,), device="cuda")
opt = torch.optim.Adam(m.parameters())
ab = torch.cumprod(1 - torch.linspace(1e-4, 0.02, 1000, device="cuda"), 0)
mem("built")
for s in range(2):
    n = torch.randn_like(x)
    a = ab[t].view(-1, 1, 1, 1)
    loss = F.mse_loss(m(a.sqrt() * x + (1 - a).sqrt() * n, t), n); mem("loss")
    loss.backward(); mem("backward")
    opt.step(); opt.zero_grad(); mem("step")
with torch.no_grad():
    y = torch.randn_like(x)
    for k in range(3):
        e = m(y, torch.full((4,), k, device="cuda"))
        y = (y - 0.1 * e) / 0.9 + 0.01 * torch.randn_like(y); mem(f"sample {k}")
