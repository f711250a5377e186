import torch
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(60, 50, 70, device="cuda", requires_grad=True)
i = torch.tensor([0, 1, 2], device="cuda"); j = torch.zeros(4, 5, dtype=torch.long, device="cuda")
mem("start")
for name, f in {"i": lambda: x[i], ":i": lambda: x[:, i], "i:i": lambda: x[i, :, i], "...i": lambda: x[..., i], "ii": lambda: x[i, i], "list": lambda: x[[0, 2]],
    ":list": lambda: x[:, [0, 2, 5]], "lists": lambda: x[[[0, 2], [1, 2]]], "cpu": lambda: x[torch.tensor([0, 1])], "j": lambda: x[j], ":j": lambda: x[:, j], "Ti": lambda: x.transpose(0, 2)[i],
    "T:i": lambda: x.transpose(0, 2)[:, i], "True": lambda: x[True], "0d": lambda: x[i[0]], "int32": lambda: x[i.int()], "range": lambda: x[range(3)], "i,None": lambda: x[i, None, :, i],
    "slice i": lambda: x[2:9:2, 1, i], "i bcast": lambda: x[i[:, None], i[None]], "neg": lambda: x[-1, ..., -2:], "step": lambda: x[::3], "colon": lambda: x[:], "ell": lambda: x[...]}.items():
    y = f()
    mem(name + " " + str(tuple(y.shape)) + str(y.stride()))
    (y * 2).sum().backward()
    mem("  backward")
    x.grad = None
