import torch, torch.nn as nn
import torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(6, 48, 21, 22, device="cuda", requires_grad=True)
for g, aff in ((1, True), (6, True), (48, True), (4, False)):
    m = nn.GroupNorm(g, 48, affine=aff).cuda()
    y = F.silu(m(x)); mem(f"{g} {aff}")
    y.mean().backward(); mem("bwd")
    x.grad = None
    del y, m
m = nn.GroupNorm(8, 48).cuda()
cl = x.detach().to(memory_format=torch.channels_last).requires_grad_()
mem("channels last input")
y = m(cl); mem("channels last"); print(y.is_contiguous(), y.stride())
y.sum().backward(); mem("bwd")
del y
s = x.transpose(2, 3)
y = m(s); mem("transposed")
y.square().sum().backward(); mem("bwd")
y = m(torch.randn(10, 48, device="cuda")); mem("2d")
