import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

net = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1), nn.GroupNorm(4, 32), nn.SiLU(), nn.Flatten(), nn.Linear(32 * 64, 10)).cuda()
x = torch.randn(6, 3, 16, 16, device="cuda")
t = torch.randint(0, 10, (6,), device="cuda")
mem("built")
for fmt in (torch.contiguous_format, torch.channels_last):
    net.to(memory_format=fmt)
    xx = x.to(memory_format=fmt)
    for dt in (torch.float16, torch.bfloat16):
        with torch.autocast("cuda", dtype=dt):
            y = net(xx); mem("forward")
            loss = F.cross_entropy(y, t)
        loss.backward(); mem("backward")
        net.zero_grad()
        del y, loss
gru = nn.LSTMCell(32, 48).cuda()
z = torch.randn(7, 32, device="cuda")
with torch.autocast("cuda", dtype=torch.float16):
    h, c = gru(z); mem(f"cell {h.dtype} {c.dtype}")
    h, c = gru(z, (h, c)); mem("cell 2")
(h.float().sum() + c.float().sum()).backward(); mem("backward")
