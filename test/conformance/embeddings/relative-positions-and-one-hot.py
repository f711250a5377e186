import torch, torch.nn as nn
import torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
class Rel(nn.Module):
    def __init__(self, h, n):
        super().__init__(); self.t = nn.Embedding(2 * n - 1, h); self.n = n
        self.register_buffer("idx", torch.arange(n)[None] - torch.arange(n)[:, None] + n - 1)
    def forward(self, s): return s + self.t(self.idx).permute(2, 0, 1).unsqueeze(0)
r = Rel(6, 40).cuda(); mem("rel")
s = torch.randn(3, 6, 40, 40, device="cuda", requires_grad=True)
y = r(s).softmax(-1); mem("biased")
y.square().sum().backward(); mem("bwd")
oh = F.one_hot(torch.randint(0, 50, (20, 30), device="cuda"), 50).float(); mem("one hot float")
tab = torch.randn(50, 64, device="cuda", requires_grad=True)
z = oh @ tab; mem("matmul lookup"); z.sum().backward(); mem("bwd")
sel = torch.index_select(tab, 0, torch.randint(0, 50, (33,), device="cuda")); mem("index_select"); sel.sum().backward(); mem("bwd")
rows = tab[torch.randint(0, 50, (4, 9), device="cuda")]; mem("indexing"); rows.sum().backward(); mem("bwd")
