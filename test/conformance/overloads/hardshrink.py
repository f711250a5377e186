import torch

x = torch.randn(300, 70, device="cuda", requires_grad=True)


def show(name, make):
    torch.cuda.reset_peak_memory_stats()
    try:
        made = make()
    except Exception as error:
        print(name, type(error).__name__, str(error).split("\n")[0])
        return
    node = made.grad_fn.name() if made.grad_fn else None
    print(name, tuple(made.shape), made.dtype, node, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


show("function", lambda: torch.hardshrink(x))
show("function of half", lambda: torch.hardshrink(x.detach().half(), 0.2))
show("named", lambda: torch.hardshrink(input=x, lambd=0.1))
show("method", lambda: x.hardshrink())
show("method named", lambda: x.hardshrink(lambd=1))
show("nn", lambda: torch.nn.functional.hardshrink(x, 0.3))
show("module", lambda: torch.nn.Hardshrink(0.3)(x))
show("out", lambda: torch.hardshrink(x.detach(), out=torch.empty(300, 70, device="cuda")))
show("out with a graph", lambda: torch.hardshrink(x, out=torch.empty(300, 70, device="cuda")))
y = torch.hardshrink(x)
print("kept", torch.cuda.memory_allocated())
y.sum().backward()
print("backward", x.grad.shape, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
show("no tensor", lambda: torch.hardshrink(1.0))
