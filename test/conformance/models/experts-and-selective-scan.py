import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class MoE(nn.Module):
    def __init__(self, d, n, k):
        super().__init__()
        self.gate = nn.Linear(d, n, bias=False)
        self.w1, self.w2 = nn.Parameter(torch.randn(n, d, 2 * d) * 0.02), nn.Parameter(torch.randn(n, 2 * d, d) * 0.02)
        self.k = k
    def forward(self, x):
        B, T, C = x.shape
        f = x.reshape(-1, C)
        p = self.gate(f).softmax(-1)
        w, i = p.topk(self.k, -1)
        w = w / w.sum(-1, keepdim=True)
        h = torch.einsum("nd,edf->enf", f, self.w1)
        y = torch.einsum("enf,efd->end", F.gelu(h), self.w2)
        m = torch.zeros_like(p).scatter(-1, i, w)
        aux = (p.mean(0) * (m > 0).float().mean(0)).sum()
        return torch.einsum("end,ne->nd", y, m).view(B, T, C), aux
m = MoE(64, 4, 2).cuda()
x = torch.randn(3, 20, 64, device="cuda", requires_grad=True)
mem("built")
y, aux = m(x); mem("forward")
(y.square().mean() + 0.01 * aux).backward(); mem("backward")
del y, aux
class SSM(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.a, self.b, self.c, self.dt = nn.Parameter(torch.randn(d, n)), nn.Linear(d, n), nn.Linear(d, n), nn.Linear(d, d)
    def forward(self, x):
        dt = F.softplus(self.dt(x))
        A = torch.exp(dt.unsqueeze(-1) * -torch.exp(self.a))
        Bx = dt.unsqueeze(-1) * self.b(x).unsqueeze(2) * x.unsqueeze(-1)
        C = self.c(x)
        h = torch.zeros_like(Bx[:, 0]); out = []
        for t in range(x.shape[1]):
            h = A[:, t] * h + Bx[:, t]
            out.append((h * C[:, t].unsqueeze(1)).sum(-1))
        return torch.stack(out, 1)
s = SSM(32, 8).cuda()
z = torch.randn(2, 15, 32, device="cuda")
y = s(z); mem("ssm")
y.sum().backward(); mem("backward")
