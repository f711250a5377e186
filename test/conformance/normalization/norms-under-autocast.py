import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
ln = nn.LayerNorm(320).cuda()
rn = nn.RMSNorm(320).cuda() 
gn = nn.GroupNorm(4, 320).cuda()
lin = nn.Linear(320, 320).cuda()
x = torch.randn(14, 50, 320, device="cuda", requires_grad=True)
for dt in (torch.bfloat16, torch.float16):
    torch.cuda.reset_peak_memory_stats()
    with torch.autocast("cuda", dtype=dt):
        h = lin(x); mem("linear")
        a = ln(h); mem("layer norm"); print(a.dtype)
        b = gn(h.transpose(1, 2)); mem("group norm"); print(b.dtype)
        c = h.softmax(-1); mem("softmax"); print(c.dtype)
        loss = a.mean() + b.mean() + c.mean()
    mem("out")
    loss.backward(); mem("bwd")
    del h, a, b, c, loss
    for p in [x, *ln.parameters(), *gn.parameters(), *lin.parameters()]: p.grad = None
    mem("clean")
