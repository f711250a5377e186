import time

import torch
from torch.nn import functional as F


def case(tag, make, *shapes):
    inputs = [torch.ones(*shape, device="cuda").to(kind).requires_grad_() for *shape, kind in shapes]
    time.sleep(0.05)  # the thread of backward holds a gradient a moment longer
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    out = make(*inputs)
    print(tag, out.dtype, torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before)
    grad = torch.ones_like(out)
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    found = torch.autograd.grad(out, inputs, grad)
    time.sleep(0.05)
    print(tag, "backward", torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before)
    del found


def autocast(x, w):
    with torch.autocast("cuda", torch.bfloat16):
        return F.rms_norm(x, (1000,), w)


FLOAT, HALF = torch.float32, torch.bfloat16
case("float", lambda x, w: F.rms_norm(x, (1000,), w), (100, 1000, FLOAT), (1000, FLOAT))
case("half", lambda x, w: F.rms_norm(x, (1000,), w), (100, 1000, HALF), (1000, HALF))
case("mixed", lambda x, w: F.rms_norm(x, (1000,), w), (100, 1000, HALF), (1000, FLOAT))
case("without weight", lambda x: F.rms_norm(x, (1000,)), (100, 1000, HALF))
case("autocast", autocast, (100, 1000, HALF), (1000, HALF))
case("autocast float", autocast, (100, 1000, FLOAT), (1000, FLOAT))
print("end", torch.cuda.memory_allocated())
