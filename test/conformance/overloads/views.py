import torch

x = torch.randn(4, 1, 6, 1, device="cuda", requires_grad=True)
n = torch.tensor(2)


def show(name, make):
    try:
        made = make()
    except Exception as error:
        print(name, type(error).__name__, error)
        return
    print(name, tuple(made.shape), made.stride(), made.dtype, made.grad_fn.name() if made.grad_fn else None, torch.cuda.memory_allocated())


show("squeeze", lambda: torch.squeeze(x))
show("squeeze 1", lambda: torch.squeeze(x, 1))
show("squeeze dim", lambda: x.squeeze(dim=-1))
show("squeeze dims", lambda: x.squeeze((1, 3)))
show("squeeze list", lambda: torch.squeeze(x, dim=[1]))
show("view", lambda: x.view(24))
show("view sizes", lambda: x.view(2, -1))
show("view list", lambda: x.view([3, 8]))
show("view size", lambda: x.view(torch.Size((6, 4))))
show("view tensor", lambda: x.view(n, 12))
show("view dtype", lambda: x.detach().view(torch.int16))
show("view named dtype", lambda: x.detach().view(dtype=torch.uint8))
show("roll", lambda: torch.roll(x, 1, 0))
show("roll all", lambda: x.roll(3))
show("roll dims", lambda: x.roll((1, 2), dims=(0, 2)))
show("unflatten", lambda: x.unflatten(0, (2, 2)))
show("select", lambda: x.select(0, 1))
show("t", lambda: x.view(4, 6).t())

show("squeeze float", lambda: x.squeeze(1.0))
show("view text", lambda: x.view("a"))
show("view float", lambda: x.view(1.5))
show("view nothing", lambda: x.view())
show("view impossible", lambda: x.view(5, 5))
