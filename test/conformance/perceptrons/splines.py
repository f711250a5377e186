import torch, torch.nn as nn
class KAN(nn.Module):
    def __init__(self, i, o, n=6):
        super().__init__(); self.c = nn.Parameter(torch.randn(i, o, n)); self.register_buffer("g", torch.linspace(-1, 1, n))
    def forward(self, x):
        b = torch.exp(-((x.unsqueeze(-1) - self.g) * 3) ** 2)
        return torch.einsum("bin,ion->bo", b, self.c)
m = nn.Sequential(KAN(20, 30), nn.LayerNorm(30), KAN(30, 5)).cuda()
x = torch.randn(44, 20, device="cuda")
y = m(x); print("fwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
y.square().sum().backward(); print("bwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
