import torch


def show(name, make):
    torch.cuda.reset_peak_memory_stats()
    made = make()
    parts = made if isinstance(made, (tuple, list)) else (made,)
    shapes = [tuple(t.shape) for t in parts if isinstance(t, torch.Tensor)]
    print(name, shapes, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    taken = [t for t in parts if isinstance(t, torch.Tensor) and t.requires_grad]
    if taken:
        sum(t.abs().sum() for t in taken).backward()
        print("  backward", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
        for leaf in leaves:
            leaf.grad = None


leaves = []
a = [torch.rand(100, 100, device="cuda") + 1 for _ in range(3)]
b = [torch.rand(100, 100, device="cuda") + 1 for _ in range(3)]
c = [torch.rand(100, 100, device="cuda") + 1 for _ in range(3)]
one = torch.ones((), device="cuda")
numbers = [1.0, 2.0, 3.0]
for name in ("add", "sub", "mul", "div", "clamp_min", "clamp_max", "maximum", "minimum", "pow"):
    for suffix in ("", "_"):
        f = getattr(torch, f"_foreach_{name}{suffix}")
        show(f.__name__ + " number", lambda: f(a, 2.0))
        show(f.__name__ + " numbers", lambda: f(a, numbers))
        show(f.__name__ + " list", lambda: f(a, b))
for name in ("add", "mul", "div"):
    for suffix in ("", "_"):
        f = getattr(torch, f"_foreach_{name}{suffix}")
        show(f.__name__ + " tensor", lambda: f(a, one))
for name in ("addcmul", "addcdiv"):
    for suffix in ("", "_"):
        f = getattr(torch, f"_foreach_{name}{suffix}")
        show(f.__name__ + " number", lambda: f(a, b, c, value=0.5))
        show(f.__name__ + " numbers", lambda: f(a, b, c, numbers))
for suffix in ("", "_"):
    f = getattr(torch, f"_foreach_lerp{suffix}")
    show(f.__name__ + " list", lambda: f(a, b, c))
    show(f.__name__ + " number", lambda: f(a, b, 0.5))
    show(f.__name__ + " numbers", lambda: f(a, b, numbers))
for name in "abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round rsqrt sigmoid sign sin sinh sqrt tan tanh trunc".split():
    for suffix in ("", "_"):
        f = getattr(torch, f"_foreach_{name}{suffix}")
        show(f.__name__, lambda: f(a))
show("zero_", lambda: torch._foreach_zero_(a))
show("copy_", lambda: torch._foreach_copy_(a, b))
show("clone", lambda: torch._foreach_clone(a))
show("max", lambda: torch._foreach_max(a))
show("norm", lambda: torch._foreach_norm(a, 2))
show("powsum", lambda: torch._foreach_pow(2.0, a))
