import torch, torch.nn as nn
class ConvLNBlock(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d, eps=1e-6)
        self.pw1, self.act, self.pw2 = nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d)
        self.gamma = nn.Parameter(1e-6 * torch.ones(d))
    def forward(self, x):
        y = self.norm(x.permute(0, 2, 3, 1))
        print("norm", torch.cuda.memory_allocated())
        y = self.gamma * self.pw2(self.act(self.pw1(y)))
        return x + y.permute(0, 3, 1, 2)
m = ConvLNBlock(96).cuda()
x = torch.randn(4, 96, 14, 15, device="cuda", requires_grad=True)
y = m(x)
print("fwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), y.stride())
y.mean().backward()
print("bwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), x.grad.stride())
