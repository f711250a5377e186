import torch, torch.nn as nn
import torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(33, 77, 128, device="cuda", requires_grad=True)
y = F.normalize(x, dim=-1); mem("normalize")
y.sum().backward(); mem("bwd"); x.grad = None; del y
y = F.normalize(x, p=1, dim=1); mem("p1")
y.sum().backward(); mem("bwd"); x.grad = None; del y
y = x / x.norm(dim=-1, keepdim=True).clamp(min=1e-6); mem("by hand")
y.sum().backward(); mem("bwd"); x.grad = None; del y
y = (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True, unbiased=False) + 1e-5); mem("layer norm by hand")
y.sum().backward(); mem("bwd"); x.grad = None; del y
v, m = torch.var_mean(x, dim=-1, keepdim=True); mem("var_mean")
y = (x - m) * torch.rsqrt(v + 1e-5); mem("standardised")
y.sum().backward(); mem("bwd"); x.grad = None; del y, v, m
s = torch.std(x, dim=(0, 1)); mem("std"); s.sum().backward(); mem("bwd")
