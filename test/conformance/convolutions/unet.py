import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

class U(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.Conv2d(16, 16, 3, padding=1)
        self.up, self.o = nn.ConvTranspose2d(16, 8, 2, stride=2), nn.Conv2d(16, 1, 1)
    def forward(self, x):
        a = F.silu(self.a(x)); mem("a")
        b = F.silu(self.b(a)); mem("b")
        c = F.silu(self.c(b)); mem("c")
        u = self.up(c); mem("up")
        return self.o(torch.cat([u, a], 1))
net = U().cuda()
y = net(torch.randn(2, 3, 48, 48, device="cuda"))
mem("out")
y.square().mean().backward()
mem("backward")
