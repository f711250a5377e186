import gc
import torch
import torch.nn as nn
import torch.nn.utils.parametrizations as P

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()

def step(tag, f):
    y = f()
    mem(tag)
    y.sum().backward()
    mem(tag + " backward")

lin, conv = torch.randn(5, 200, device="cuda"), torch.randn(4, 20, 90, device="cuda")
for name, make, x in [
    ("rows", lambda: P.weight_norm(nn.Linear(200, 300).cuda()), lin),
    ("all", lambda: P.weight_norm(nn.Linear(200, 300).cuda(), dim=None), lin),
    ("columns", lambda: P.weight_norm(nn.Linear(200, 300).cuda(), dim=1), lin),
    ("middle", lambda: P.weight_norm(nn.Conv1d(20, 80, 3).cuda(), dim=1), conv),
]:
    if name == "rows" and not torch.__version__.startswith("2.14"):
        continue
    if name == "columns" and not torch.__version__.startswith("2.14"):
        continue
    m = make()
    mem(name)
    print([tuple(p.shape) for p in m.parameters()])
    step(name, lambda: m(x))
    del m
    gc.collect()
    mem(name + " gone")
w = torch.randn(60, 70, 80, device="cuda", requires_grad=True)
for dim in (0, 1, 2, -1):
    n = torch.norm_except_dim(w, 2, dim)
    print(tuple(n.shape))
    step(f"norms {dim}", lambda: torch.norm_except_dim(w, 2, dim))
del n, w
gc.collect()
m = nn.LazyInstanceNorm1d(affine=True).cuda()
step("lazy instance norm", lambda: m(conv))
print(m)
gc.collect()
a = nn.AdaptiveLogSoftmaxWithLoss(200, 1000, [100, 400]).cuda()
mem("adaptive softmax")
step("log_prob", lambda: a.log_prob(lin))
del a, m
w, go = torch.randn(30, 20, 3, device="cuda"), torch.randn(4, 30, 88, device="cuda")
gi = nn.grad.conv1d_input(conv.shape, w, go)
mem("gradient of the input")
gw = nn.grad.conv1d_weight(conv, w.shape, go)
mem("gradient of the weight")
del gi, gw, w, go
c, b = nn.Conv2d(16, 64, 3).cuda().eval(), nn.BatchNorm2d(64).cuda().eval()
mem("convolution, batch norm")
f = nn.utils.fuse_conv_bn_eval(c, b)
mem("fused")
del c, b
mem("only the fused one")
step("fused", lambda: f(torch.randn(2, 16, 20, 20, device="cuda")))
