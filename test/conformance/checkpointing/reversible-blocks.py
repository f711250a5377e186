import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class Block(nn.Module):
    def __init__(self, d, p=0.0):
        super().__init__()
        self.n = nn.LayerNorm(d)
        self.a, self.b = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.p = p
    def forward(self, x):
        return x + F.dropout(self.b(F.gelu(self.a(self.n(x)))), self.p, self.training)

class Rev(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, f, g, *ps):
        a, b = x.chunk(2, -1)
        with torch.no_grad():
            y1 = a + f(b)
            y2 = b + g(y1)
        ctx.f, ctx.g = f, g
        ctx.save_for_backward(y1, y2)
        return torch.cat([y1, y2], -1)
    @staticmethod
    def backward(ctx, dy):
        y1, y2 = ctx.saved_tensors
        d1, d2 = dy.chunk(2, -1)
        with torch.enable_grad():
            y1 = y1.detach().requires_grad_()
            gy = ctx.g(y1)
        x2 = y2 - gy.detach()
        gy.backward(d2)
        d1 = d1 + y1.grad
        with torch.enable_grad():
            x2 = x2.detach().requires_grad_()
            fx = ctx.f(x2)
        fx.backward(d1)
        return (torch.cat([d1, d2 + x2.grad], -1), None, None) + (None,) * (len(ctx.needs_input_grad) - 3)
fs = nn.ModuleList(nn.Sequential(nn.LayerNorm(64), nn.Linear(64, 64), nn.GELU()) for _ in range(6)).cuda()
x = torch.randn(200, 128, device="cuda", requires_grad=True)
mem("built")
h = x
for i in range(0, 6, 2):
    h = Rev.apply(h, fs[i], fs[i + 1], *fs[i].parameters()); mem(f"{i}")
h.square().mean().backward(); mem("backward")
