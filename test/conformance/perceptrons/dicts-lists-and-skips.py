import torch, torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleDict({k: nn.Linear(90, 90) for k in "abc"})
        self.scale = nn.ParameterList(nn.Parameter(torch.full((90,), 0.1)) for _ in range(3))
    def forward(self, x):
        skips = []
        for (k, b), s in zip(self.blocks.items(), self.scale):
            skips.append(x)
            x = x + s * torch.tanh(b(x))
            print(k, torch.cuda.memory_allocated())
        return torch.cat(skips + [x], dim=-1)
net = Net().cuda()
x = torch.randn(55, 90, device="cuda")
y = net(x); print("out", torch.cuda.memory_allocated(), tuple(y.shape))
y.std().backward(); print("bwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
for p in net.parameters(): p.grad = None
with torch.no_grad(): net(x)
print("end", torch.cuda.memory_allocated(), torch.cuda.memory_reserved())
