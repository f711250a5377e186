import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

net = nn.Sequential(nn.Linear(200, 400), nn.GELU(), nn.LayerNorm(400), nn.Linear(400, 50)).cuda()
x, t = torch.randn(32, 200, device="cuda"), torch.randint(0, 50, (32,), device="cuda")
for kw in (dict(), dict(fused=True), dict(foreach=False)):
    opt = torch.optim.Adam(net.parameters(), **kw)
    scaler = torch.amp.GradScaler("cuda", init_scale=1024.0)
    mem("built")
    for i in range(2):
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(net(x), t)
        scaler.scale(loss).backward(); mem("backward")
        scaler.step(opt); mem("step")
        scaler.update(); mem("update")
    print(sorted(scaler.state_dict()))
    del opt, scaler, loss
    net.zero_grad()
mem("end")
