import torch, torch.nn as nn
class Enc(nn.Module):
    def __init__(self, d, h, p):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        self.h, self.drop = h, nn.Dropout(p)
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.ff = nn.Sequential(nn.Linear(d, 4 * d), nn.ReLU(), nn.Dropout(p), nn.Linear(4 * d, d), nn.Dropout(p))
    def forward(self, x):
        B, L, D = x.shape
        sh = lambda t: t.view(B, L, self.h, D // self.h).transpose(1, 2)
        h = self.n1(x)
        q, k, v = sh(self.q(h)), sh(self.k(h)), sh(self.v(h))
        a = (q @ k.transpose(-2, -1)) / (D // self.h) ** 0.5
        a = self.drop(a.softmax(-1))
        x = x + self.drop(self.o((a @ v).transpose(1, 2).reshape(B, L, D)))
        return x + self.ff(self.n2(x))
net = nn.Sequential(*[Enc(96, 4, 0.1) for _ in range(2)]).cuda()
x = torch.randn(5, 60, 96, device="cuda")
for mode in (True, False):
    net.train(mode)
    torch.cuda.reset_peak_memory_stats()
    y = net(x)
    print(mode, "fwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    y.sum().backward()
    print(mode, "bwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    net.zero_grad()
    del y
