import torch

x = torch.randint(1, 99, (100, 60), device="cuda")
y = torch.randint(1, 5, (60,), device="cuda", dtype=torch.int32)


def show(name, make):
    torch.cuda.reset_peak_memory_stats()
    try:
        made = make()
    except Exception as error:
        print(name, type(error).__name__, error)
        return
    print(name, tuple(made.shape), made.dtype, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


for name in ("bitwise_left_shift", "bitwise_right_shift"):
    f = getattr(torch, name)
    show(name, lambda: f(x, y))
    show(name + " number", lambda: f(y, 2))
    show(name + " number first", lambda: f(2, y))
    show(name + " other", lambda: f(y, other=3))
    show(name + " method", lambda: getattr(x, name)(y))
    show(name + " in place", lambda: getattr(x, name + "_")(2))
    show(name + " out", lambda: f(x, y, out=torch.empty_like(x)))
show("<<", lambda: x << y)
show(">>", lambda: x >> 2)
show("number <<", lambda: 2 << x)
show("number >>", lambda: 2 >> y)
x <<= 2
x >>= y
show("in place", lambda: x)
