import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()

m = nn.Sequential(nn.Linear(300, 400), nn.GELU(), nn.Linear(400, 300)).cuda()
x = torch.randn(50, 300, device="cuda", requires_grad=True)
for reentrant in (True, False):
    y = checkpoint(m, x, use_reentrant=reentrant)
    mem(f"reentrant {reentrant}")
    try:
        g = torch.autograd.grad(y.sum(), x)
        mem("gradient")
        del g
    except RuntimeError as e:
        print(str(e)[:60])
        del e
    mem("after")
    y = checkpoint(m, x, use_reentrant=reentrant)
    try:
        y.sum().backward(inputs=[x])
        mem("backward to the input")
    except RuntimeError as e:
        print(str(e)[:60])
        del e
    del y
    x.grad = None
    mem("end")
for name, f in [("times two", lambda: x * 2), ("over three", lambda: x / 3), ("plus one", lambda: x + 1), ("negative", lambda: -x)]:
    y = f()
    y.sum().backward()
    try:
        y.sum().backward()
        mem(f"{name}: twice")
    except RuntimeError as e:
        print(name, str(e)[:50])
        del e
    del y
    x.grad = None
    mem(name)
