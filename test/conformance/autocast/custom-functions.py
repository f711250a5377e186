import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class Scale(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.float32)
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w
    @staticmethod
    @torch.amp.custom_bwd(device_type="cuda")
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g @ w.t(), x.t() @ g
class Plain(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda")
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w
    @staticmethod
    @torch.amp.custom_bwd(device_type="cuda")
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g @ w.t(), x.t() @ g
x = torch.randn(50, 120, device="cuda", requires_grad=True)
w = torch.randn(120, 90, device="cuda", requires_grad=True)
mem("start")
for fn in (Scale, Plain):
    with torch.autocast("cuda", dtype=torch.float16):
        h = x.half()
        y = fn.apply(h, w); mem(f"{fn.__name__} {y.dtype}")
    y.float().sum().backward(); mem("backward")
    print(x.grad.dtype, w.grad.dtype)
    x.grad = w.grad = None
    del y, h
with torch.autocast("cuda", dtype=torch.bfloat16):
    y = F.linear(x, w.t())
    y.float().sum().backward()
    mem("backward inside")
