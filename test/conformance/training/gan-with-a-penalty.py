import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

G = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 100), nn.Tanh()).cuda()
D = nn.Sequential(nn.Linear(100, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1)).cuda()
og, od = torch.optim.Adam(G.parameters(), 2e-4, betas=(0.5, 0.999)), torch.optim.Adam(D.parameters(), 2e-4, betas=(0.5, 0.999))
real = torch.randn(32, 100, device="cuda")
mem("built")
for i in range(2):
    fake = G(torch.randn(32, 16, device="cuda"))
    od.zero_grad()
    ld = F.binary_cross_entropy_with_logits(D(real), torch.ones(32, 1, device="cuda")) + F.binary_cross_entropy_with_logits(D(fake.detach()), torch.zeros(32, 1, device="cuda"))
    ld.backward(); od.step(); mem("D")
    og.zero_grad()
    lg = F.binary_cross_entropy_with_logits(D(fake), torch.ones(32, 1, device="cuda"))
    lg.backward(); og.step(); mem("G")
    e = torch.rand(32, 1, device="cuda")
    mix = (e * real + (1 - e) * fake.detach()).requires_grad_()
    g, = torch.autograd.grad(D(mix).sum(), mix, create_graph=True)
    gp = ((g.norm(dim=1) - 1) ** 2).mean(); mem("penalty")
    od.zero_grad()
    gp.backward(); mem("penalty backward")
