"""Gradients that backward is given: of another dtype, from the CPU, and of several roots at once."""

import torch


def say(label):
    print(label, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


w = torch.ones(512, 1024, device="cuda", requires_grad=True)
half = torch.ones(512, 1024, device="cuda", dtype=torch.bfloat16)
say("start")

y = w * 2.0
y.backward(half)
say("bfloat16 for float32")
del y

y = w * 2.0
(g,) = torch.autograd.grad(y, w, half)
print(g.dtype)
say("grad")
del y, g

y = (w * w).exp()
y.backward(half, retain_graph=True)
say("kept graph")
y.backward(half)
say("again")
del y

a, b = w * 2.0, w.to(torch.bfloat16)
torch.autograd.backward((a, b), (half, torch.ones_like(w)))
say("two roots")
del a, b

loss = (w * 2.0).sum()
loss.backward(torch.ones((), dtype=torch.float64, device="cuda"))
say("0-dim of float64")
loss = (w * 2.0).sum()
loss.backward(torch.tensor(2.0))
say("0-dim from the CPU")
del loss

y = w * 2.0
try:
    y.backward(torch.ones(512, 1024))
except RuntimeError as error:
    print(error)
say("CPU gradient")
