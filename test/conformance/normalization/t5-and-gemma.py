import torch, torch.nn as nn
class T5Norm(nn.Module):
    def __init__(self, d, eps=1e-6):
        super().__init__(); self.weight = nn.Parameter(torch.ones(d)); self.eps = eps
    def forward(self, h):
        v = h.to(torch.float32).pow(2).mean(-1, keepdim=True)
        h = h * torch.rsqrt(v + self.eps)
        if self.weight.dtype in (torch.float16, torch.bfloat16):
            h = h.to(self.weight.dtype)
        return self.weight * h
class Gemma(nn.Module):
    def __init__(self, d, eps=1e-6):
        super().__init__(); self.weight = nn.Parameter(torch.zeros(d)); self.eps = eps
    def _norm(self, x): return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
    def forward(self, x):
        out = self._norm(x.float())
        out = out * (1.0 + self.weight.float())
        return out.type_as(x)
for cls in (T5Norm, Gemma):
    for dt in (torch.float32, torch.float16, torch.bfloat16):
        m = cls(300).cuda().to(dt)
        x = torch.randn(7, 90, 300, device="cuda", dtype=dt, requires_grad=True)
        torch.cuda.reset_peak_memory_stats()
        b = torch.cuda.memory_allocated()
        y = m(x)
        print(cls.__name__, dt, torch.cuda.memory_allocated() - b, torch.cuda.max_memory_allocated() - b)
        y.float().sum().backward()
        print(torch.cuda.memory_allocated() - b, torch.cuda.max_memory_allocated() - b)
        del m, x, y
