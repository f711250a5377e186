import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class Bert(nn.Module):
    def __init__(self, V=300, d=96, h=4, n=2, T=64):
        super().__init__()
        self.w, self.p, self.t = nn.Embedding(V, d, padding_idx=0), nn.Embedding(T, d), nn.Embedding(2, d)
        self.ln, self.do = nn.LayerNorm(d, eps=1e-12), nn.Dropout(0.1)
        self.q, self.k, self.v, self.o = (nn.ModuleList(nn.Linear(d, d) for _ in range(n)) for _ in range(4))
        self.l1, self.l2 = (nn.ModuleList(nn.LayerNorm(d) for _ in range(n)) for _ in range(2))
        self.f1, self.f2 = nn.ModuleList(nn.Linear(d, 4 * d) for _ in range(n)), nn.ModuleList(nn.Linear(4 * d, d) for _ in range(n))
        self.pool, self.cls, self.mlm, self.h, self.n = nn.Linear(d, d), nn.Linear(d, 2), nn.Linear(d, V), h, n
    def forward(self, i, mask):
        B, T = i.shape
        x = self.do(self.ln(self.w(i) + self.p(torch.arange(T, device=i.device)) + self.t(torch.zeros_like(i))))
        m = (1.0 - mask[:, None, None, :].to(x.dtype)) * torch.finfo(x.dtype).min
        for l in range(self.n):
            q, k, v = (f[l](x).view(B, T, self.h, -1).permute(0, 2, 1, 3) for f in (self.q, self.k, self.v))
            a = self.do(torch.softmax(torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(q.size(-1)) + m, -1))
            c = torch.matmul(a, v).permute(0, 2, 1, 3).contiguous().view(B, T, -1)
            x = self.l1[l](x + self.do(self.o[l](c)))
            x = self.l2[l](x + self.do(self.f2[l](F.gelu(self.f1[l](x)))))
        return self.cls(torch.tanh(self.pool(x[:, 0]))), self.mlm(x)
m = Bert().cuda()
i = torch.randint(1, 300, (5, 40), device="cuda"); mask = torch.ones(5, 40, dtype=torch.long, device="cuda")
y = torch.full((5, 40), -100, device="cuda"); y[:, :6] = 3
opt = torch.optim.AdamW(m.parameters())
mem("built")
for s in range(2):
    c, l = m(i, mask); mem("forward")
    loss = F.cross_entropy(c, torch.zeros(5, dtype=torch.long, device="cuda")) + F.cross_entropy(l.view(-1, 300), y.view(-1)); mem("loss")
    loss.backward(); mem("backward")
    opt.step(); opt.zero_grad(); mem("step")
m.eval()
with torch.no_grad():
    m(i, mask); mem("eval")
