import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

class GRU(nn.Module):
    def __init__(self, i, h):
        super().__init__()
        self.x, self.h = nn.Linear(i, 3 * h), nn.Linear(h, 3 * h)
    def forward(self, x, h):
        xr, xz, xn = self.x(x).chunk(3, -1)
        hr, hz, hn = self.h(h).chunk(3, -1)
        r, z = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
        n = torch.tanh(xn + r * hn)
        return (1 - z) * n + z * h
cell = GRU(30, 40).cuda()
h = torch.zeros(5, 40, device="cuda")
for t in range(4):
    h = cell(torch.randn(5, 30, device="cuda"), h)
    mem(f"step {t}")
h.sum().backward()
mem("backward")
