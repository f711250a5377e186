import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

prefix = nn.Parameter(torch.randn(10, 96, device="cuda"))
backbone = nn.TransformerEncoder(nn.TransformerEncoderLayer(96, 4, 192, dropout=0.0, batch_first=True), 2, enable_nested_tensor=False).cuda().requires_grad_(False)
x = torch.randn(3, 30, 96, device="cuda")
mem("built")
y = backbone(torch.cat([prefix.expand(3, -1, -1), x], 1)); mem("prompt tuning")
y[:, 10:].mean().backward(); mem("backward")
del y
ad = nn.ModuleList(nn.Sequential(nn.Linear(96, 16), nn.ReLU(), nn.Linear(16, 96)) for _ in range(2)).cuda()
h = x
for l, a in zip(backbone.layers, ad):
    h = l(h); h = h + a(h)
mem("adapters")
h.mean().backward(); mem("backward")
del h
head = nn.Linear(96, 5).cuda()
with torch.no_grad():
    f = backbone(x).mean(1)
mem("features")
F.cross_entropy(head(f), torch.zeros(3, dtype=torch.long, device="cuda")).backward(); mem("probe")
bias_only = [p.requires_grad_(True) for n, p in backbone.named_parameters() if n.endswith("bias")]
backbone(x).mean().backward(); mem(f"bitfit {len(bias_only)}")
