import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
class MoE(nn.Module):
    def __init__(self, d, n):
        super().__init__(); self.gate = nn.Linear(d, n, bias=False)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(d, 2 * d), nn.SiLU(), nn.Linear(2 * d, d)) for _ in range(n))
    def forward(self, x):
        p = self.gate(x).softmax(-1); mem("  gate")
        out = 0
        for k, e in enumerate(self.experts):
            out = out + p[..., k:k + 1] * e(x); mem("  expert")
        return out
m = MoE(72, 4).cuda(); x = torch.randn(90, 72, device="cuda")
y = m(x); mem("fwd"); y.pow(2).mean().backward(); mem("bwd")
w, i = m.gate(x).topk(2, -1); mem("topk"); w.softmax(-1).sum().backward(); mem("bwd")
st = torch.einsum("bd,edh->beh", x, torch.stack([e[0].weight.t() for e in m.experts])); mem("stacked"); st.sum().backward(); mem("bwd")
