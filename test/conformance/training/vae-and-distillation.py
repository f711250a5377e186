import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

enc = nn.Sequential(nn.Linear(200, 128), nn.ReLU()).cuda()
mu, lv = nn.Linear(128, 20).cuda(), nn.Linear(128, 20).cuda()
dec = nn.Sequential(nn.Linear(20, 128), nn.ReLU(), nn.Linear(128, 200), nn.Sigmoid()).cuda()
params = [p for m in (enc, mu, lv, dec) for p in m.parameters()]
opt = torch.optim.RMSprop(params, lr=1e-3)
x = torch.rand(50, 200, device="cuda")
mem("built")
for i in range(2):
    h = enc(x)
    m, l = mu(h), lv(h)
    z = m + torch.randn_like(m) * torch.exp(0.5 * l)
    y = dec(z)
    loss = F.binary_cross_entropy(y, x, reduction="sum") - 0.5 * torch.sum(1 + l - m.pow(2) - l.exp()); mem("loss")
    opt.zero_grad(); loss.backward(); mem("backward")
    opt.step(); mem("step")
teacher = nn.Linear(200, 10).cuda().eval()
student = nn.Linear(200, 10).cuda()
with torch.no_grad():
    tl = teacher(x)
sl = student(x)
kd = F.kl_div(F.log_softmax(sl / 2, 1), F.softmax(tl / 2, 1), reduction="batchmean") * 4; mem("distillation")
kd.backward(); mem("backward")
a, b = F.normalize(enc(x), dim=1), F.normalize(enc(x + 0.1), dim=1)
sim = a @ b.t() / 0.1
nce = (F.cross_entropy(sim, torch.arange(50, device="cuda")) + F.cross_entropy(sim.t(), torch.arange(50, device="cuda"))) / 2; mem("contrastive")
nce.backward(); mem("backward")
