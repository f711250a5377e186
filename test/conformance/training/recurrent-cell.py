import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

rnn = nn.LSTM(40, 64, 2, batch_first=True)
class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.c, self.o = nn.RNNCell(32, 48), nn.Linear(48, 10)
    def forward(self, x):
        h = torch.zeros(x.shape[0], 48, device=x.device)
        outs = []
        for t in range(x.shape[1]):
            h = self.c(x[:, t], h)
            outs.append(self.o(h))
        return torch.stack(outs, 1)
m = Cell().cuda()
opt = torch.optim.Adagrad(m.parameters())
x = torch.randn(6, 12, 32, device="cuda"); t = torch.randint(0, 10, (6, 12), device="cuda")
mem("built")
for i in range(2):
    y = m(x); mem("forward")
    loss = F.cross_entropy(y.reshape(-1, 10), t.reshape(-1)); mem("loss")
    loss.backward(); mem("backward")
    nn.utils.clip_grad_value_(m.parameters(), 0.5)
    opt.step(); opt.zero_grad(); mem("step")
h = torch.zeros(6, 48, device="cuda")
for chunk in x.split(4, 1):
    h = h.detach()
    for k in range(chunk.shape[1]):
        h = m.c(chunk[:, k], h)
    m.o(h).sum().backward(); mem("truncated")
