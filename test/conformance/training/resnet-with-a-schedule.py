import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class Res(nn.Module):
    def __init__(self, i, o, s=1):
        super().__init__()
        self.c1, self.b1 = nn.Conv2d(i, o, 3, s, 1, bias=False), nn.BatchNorm2d(o)
        self.c2, self.b2 = nn.Conv2d(o, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o)
        self.short = nn.Sequential() if i == o and s == 1 else nn.Sequential(nn.Conv2d(i, o, 1, s, bias=False), nn.BatchNorm2d(o))
    def forward(self, x):
        y = F.relu(self.b1(self.c1(x)))
        return F.relu(self.b2(self.c2(y)) + self.short(x))
net = nn.Sequential(nn.Conv2d(3, 16, 3, 1, 1), Res(16, 16), Res(16, 32, 2), Res(32, 64, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4, nesterov=True)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 4)
crit = nn.CrossEntropyLoss(label_smoothing=0.1)
mem("built")
for i in range(3):
    x, t = torch.randn(12, 3, 32, 32).cuda(), torch.randint(0, 10, (12,)).cuda()
    opt.zero_grad()
    out = net(x)
    loss = crit(out, t); mem(f"{i} loss")
    loss.backward(); mem(f"{i} backward")
    opt.step(); sched.step(); mem(f"{i} step")
    acc = (out.argmax(1) == t).float().mean(); mem("accuracy")
net.eval()
with torch.no_grad():
    net(torch.randn(12, 3, 32, 32, device="cuda")); mem("eval")
