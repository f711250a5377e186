import torch, torch.nn as nn
class AdaLN(nn.Module):
    def __init__(self, d, c):
        super().__init__()
        self.norm = nn.LayerNorm(d, elementwise_affine=False)
        self.mod = nn.Sequential(nn.SiLU(), nn.Linear(c, 6 * d))
        self.fc1, self.fc2 = nn.Linear(d, 2 * d), nn.Linear(2 * d, d)
    def forward(self, x, c):
        s1, b1, g1, s2, b2, g2 = self.mod(c).unsqueeze(1).chunk(6, dim=-1)
        h = self.norm(x) * (1 + s1) + b1
        x = x + g1 * self.fc2(torch.nn.functional.gelu(self.fc1(h), approximate="tanh"))
        h = self.norm(x) * (1 + s2) + b2
        return x + g2 * h
m = nn.ModuleList(AdaLN(144, 80) for _ in range(3)).cuda()
x = torch.randn(6, 64, 144, device="cuda"); c = torch.randn(6, 80, device="cuda")
for b in m:
    x = b(x, c)
    print("block", torch.cuda.memory_allocated())
x.square().mean().backward()
print("bwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
