import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class LoRA(nn.Module):
    def __init__(self, base, r, alpha=16, p=0.0):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.a = nn.Linear(base.in_features, r, bias=False)
        self.b = nn.Linear(r, base.out_features, bias=False)
        nn.init.zeros_(self.b.weight)
        self.s, self.drop = alpha / r, nn.Dropout(p)
    def forward(self, x):
        return self.base(x) + self.b(self.a(self.drop(x))) * self.s

net = nn.Sequential(nn.Linear(256, 512), nn.GELU(), nn.Linear(512, 256), nn.GELU(), nn.Linear(256, 32)).requires_grad_(False)
for i in (0, 2):
    net[i] = LoRA(net[i], 8, p=0.1)
net.cuda()
params = [p for p in net.parameters() if p.requires_grad]
opt = torch.optim.AdamW(params, lr=1e-3)
x = torch.randn(64, 256, device="cuda")
mem(f"built {sum(p.numel() for p in params)}")
for i in range(2):
    loss = net(x).square().mean(); mem("loss")
    loss.backward(); mem("backward")
    opt.step(); mem("step")
    opt.zero_grad(); mem("zero")
net.eval()
with torch.no_grad():
    net(x); mem("eval")
    for m in net:
        if isinstance(m, LoRA):
            m.base.weight += m.b.weight @ m.a.weight * m.s
    mem("merged")
