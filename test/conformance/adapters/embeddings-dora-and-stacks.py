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

from torch.utils.checkpoint import checkpoint
class Emb(nn.Module):
    def __init__(self, V, d):
        super().__init__()
        self.w = nn.Embedding(V, d)
        self.a, self.b = nn.Parameter(torch.zeros(V, 4)), nn.Parameter(torch.zeros(4, d))
        self.w.requires_grad_(False)
    def forward(self, i):
        return self.w(i) + F.embedding(i, self.a) @ self.b
emb = Emb(300, 64).cuda()
layers = nn.ModuleList(LoRA(nn.Linear(64, 64), 2) for _ in range(4)).cuda()
ids = torch.randint(0, 300, (5, 33), device="cuda")
mem("built")
h = emb(ids); mem("embedded")
for l in layers:
    h = checkpoint(lambda t, l=l: F.gelu(l(t)), h, use_reentrant=False)
mem("forward")
h.mean().backward(); mem("backward")
state = {k: v for k, v in layers.state_dict().items() if ".a." in k or ".b." in k}
print(len(state))
cp = {k: v.cpu() for k, v in state.items()}; mem("saved")
layers.load_state_dict(cp, strict=False); mem("loaded")
dora = nn.Parameter(torch.ones(64, device="cuda"))
w = layers[0].base.weight + layers[0].b.weight @ layers[0].a.weight
w = dora[:, None] * w / w.norm(dim=1, keepdim=True)
y = F.linear(h.detach(), w); mem("dora")
y.sum().backward(); mem("backward")
