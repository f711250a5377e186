# Which overload of a foreach function a call means, and what is refused: numbers, lists of numbers, lists of tensors, one tensor.
import torch


def show(name, run):
    torch.cuda.reset_peak_memory_stats()
    try:
        made = run()
        shown = [tuple(t.shape) for t in made]
    except (RuntimeError, TypeError) as error:
        made, shown = None, f"{type(error).__name__}: {error}"
    print(name, shown, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


def tensors():
    return [torch.rand(100, 100, device="cuda"), torch.rand(200, device="cuda")]


a, b, c = tensors(), tensors(), tensors()
host = torch.tensor([1.0, 2.0])
for name in ("add", "sub", "mul", "div", "maximum", "pow"):
    f = getattr(torch, f"_foreach_{name}")
    show(f"{name} list", lambda: f(a, b))
    show(f"{name} numbers", lambda: f(a, [1.0, 2.0]))
    show(f"{name} number", lambda: f(a, 2))
    show(f"{name} tuple", lambda: f(a, tuple(b)))
    show(f"{name} one tensor", lambda: f(a, torch.tensor(2.0, device="cuda")))
    show(f"{name} shorter list", lambda: f(a, b[:1]))
    show(f"{name} too few numbers", lambda: f(a, [1.0]))
    show(f"{name} nothing", lambda: f([], b))
for name in ("addcmul", "addcdiv"):
    f = getattr(torch, f"_foreach_{name}")
    show(f"{name} numbers on the host", lambda: f(a, b, c, host))
    show(f"{name} one number in a tensor", lambda: f(a, b, c, torch.tensor(2.0)))
    show(f"{name} three numbers", lambda: f(a, b, c, torch.ones(3)))
    show(f"{name} numbers on the GPU", lambda: f(a, b, c, torch.ones(2, device="cuda")))
    show(f"{name} by name", lambda: f(a, b, c, scalars=[1, 2]))
    show(f"{name} value in a tensor", lambda: f(a, b, c, value=torch.tensor(2.0)))
    show(f"{name} shorter list", lambda: f(a, b[:1], c))
    show(f"{name} in place", lambda: getattr(torch, f"_foreach_{name}_")(a, b, c, host) or a)
show("lerp numbers", lambda: torch._foreach_lerp(a, b, [0.5, 0.2]))
show("lerp list", lambda: torch._foreach_lerp(a, b, c))
show("lerp one tensor", lambda: torch._foreach_lerp(a, b, torch.tensor(0.5)))
show("lerp too few numbers", lambda: torch._foreach_lerp(a, b, [0.5]))
show("pow of a number", lambda: torch._foreach_pow(2.0, a))
show("copy_ of less", lambda: torch._foreach_copy_(a, b[:1]))
show("neg of nothing", lambda: torch._foreach_neg([]))
show("neg of a number", lambda: torch._foreach_neg(3))
show("norm of nothing", lambda: torch._foreach_norm([]))
show("alpha for a number", lambda: torch._foreach_add(a, b, alpha=2))
