# Functions whose first operand is a plain number: it becomes a tensor of one element on the CPU, and the other operand decides the rest.
import torch


def show(name, t):
    print(name, tuple(t.shape), t.dtype, t.device.type, t.requires_grad, torch.cuda.memory_allocated())


mask = torch.ones(1000, dtype=torch.bool, device="cuda")
whole = torch.ones(1000, dtype=torch.int64, device="cuda")
half = torch.ones(1000, dtype=torch.float16, device="cuda")
leaf = torch.ones(1000, device="cuda", requires_grad=True)
for name, other in (("mask", mask), ("whole", whole), ("half", half), ("leaf", leaf)):
    added = torch.add(0.3333, other, alpha=1)
    show(f"add {name}", added)
    product = torch.mul(2, other)
    show(f"mul {name}", product)
    divided = torch.div(1.0, other)
    show(f"div {name}", divided)
    del added, product, divided
weighed = torch.add(0.3333, mask, alpha=0.6667)
show("alpha", weighed)
less = torch.sub(1, leaf)
show("sub", less)
less.sum().backward()
show("gradient", leaf.grad)
rest = torch.remainder(7, whole)
show("remainder", rest)
