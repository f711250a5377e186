import torch, torch.nn as nn
class Res(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.l1, self.l2 = nn.Linear(d, d), nn.Linear(d, d)
        self.d1, self.d2 = nn.Dropout(0.1), nn.Dropout(0.1, inplace=True)
    def forward(self, x):
        h = self.d1(torch.relu(self.l1(x)))
        h = self.d2(self.l2(h))
        return x + h
net = nn.Sequential(*[Res(256) for _ in range(4)]).cuda()
for m in net.modules():
    if isinstance(m, nn.Dropout): m.p = 0.25
x = torch.randn(128, 256, device="cuda")
acc = 0
for i in range(3):
    loss = net(x).pow(2).mean() / 3
    loss.backward()
    acc += loss.detach()
    print(i, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
del loss
print("end", torch.cuda.memory_allocated(), torch.cuda.memory_reserved())
