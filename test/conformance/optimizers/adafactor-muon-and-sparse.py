import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

for name, cls, kw in [("Adafactor", getattr(torch.optim, "Adafactor", None), {}), ("Muon", getattr(torch.optim, "Muon", None), {})]:
    if cls is None:
        print(name, "missing"); continue
    net = nn.Sequential(nn.Linear(120, 250, bias=False), nn.ReLU(), nn.Linear(250, 60, bias=False)).cuda()
    opt = cls(net.parameters(), **kw)
    x = torch.randn(9, 120, device="cuda")
    for i in range(2):
        net(x).square().mean().backward(); mem(f"{name} backward")
        opt.step(); mem(f"{name} step")
        opt.zero_grad(); mem("zero")
    del net, opt, x
emb = nn.Embedding(500, 64, sparse=True).cuda()
mem("embedding")
