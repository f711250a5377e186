import torch

x = torch.randn(300, 200, device="cuda", requires_grad=True)
y = torch.randn(300, 200, device="cuda")
whole = torch.arange(600, device="cuda").view(3, 200)


def show(name, make):
    try:
        made = make()
    except Exception as error:
        print(name, type(error).__name__, error)
        return
    parts = made if isinstance(made, tuple) else (made,)
    print(name, [tuple(t.shape) for t in parts], [t.dtype for t in parts], torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    if parts[0].requires_grad:
        print("  ", parts[0].grad_fn.name(), end=" ")
        sum(t.sum() for t in parts if t.requires_grad).backward()
        print(torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
        x.grad = None
    torch.cuda.reset_peak_memory_stats()


for name in ("sum", "mean", "var", "std", "var_mean", "std_mean", "max", "min", "median", "nanmedian", "amax", "amin"):
    f = getattr(torch, name)
    show(name, lambda: f(x))
    show(name + " 0", lambda: f(x, 0))
    show(name + " dim=1", lambda: f(x, dim=1))
    show(name + " axis=1, keepdims", lambda: f(x, axis=1, keepdims=True))
    show(name + " -1, True", lambda: f(x, -1, True))
    show(name + " keepdim", lambda: f(x, 1, keepdim=True))
    if hasattr(torch.Tensor, name):
        method = getattr(torch.Tensor, name)
        show("x." + name, lambda: method(x))
        show("x." + name + " 0", lambda: method(x, 0))
for name in ("sum", "mean", "var", "std", "var_mean", "std_mean", "amax", "logsumexp", "count_nonzero"):
    f = getattr(torch, name)
    show(name + " (0, 1)", lambda: f(y, (0, 1)))
    show(name + " [1]", lambda: f(y, dim=[1]))
for name in ("var", "std", "var_mean", "std_mean"):
    f = getattr(torch, name)
    show(name + " False", lambda: f(x, False))
    show(name + " unbiased", lambda: f(x, unbiased=False))
    show(name + " 1, False, True", lambda: f(x, 1, False, True))
    show(name + " correction", lambda: f(x, 0, correction=0))
    show(name + " correction alone", lambda: f(x, correction=2, keepdim=True))
for name in ("all", "any"):  # over one dim: over several, the recorder's device has other kernels than a GPU
    f = getattr(torch, name)
    show(name, lambda: f(y))
    show(name + " 1", lambda: f(y, 1))
    show("x." + name, lambda: getattr(y, name)(dim=0, keepdim=True))
show("sum dtype", lambda: torch.sum(y, 0, dtype=torch.float64))
show("sum of whole", lambda: whole.sum())
show("mean dtype", lambda: whole.mean(dtype=torch.float32))
show("max of two", lambda: torch.max(x, y))
show("min of two", lambda: x.min(other=y))
show("sum out", lambda: torch.sum(y, 1, out=torch.empty(300, device="cuda")))
show("max out", lambda: torch.max(y, 1, out=(torch.empty(300, device="cuda"), torch.empty(300, dtype=torch.int64, device="cuda"))))
show("max of two out", lambda: torch.max(y, y, out=torch.empty(300, 200, device="cuda")))

for name, wrong in {
    "sum text": lambda: torch.sum(x, "a"),
    "x.sum text": lambda: x.sum("a"),
    "x.sum dims": lambda: x.sum(dims=1),
    "sum nothing": lambda: torch.sum(),
    "sum list": lambda: torch.sum([1, 2]),
    "mean of whole": lambda: whole.mean(),
    "mean of whole 0": lambda: whole.mean(0),
    "max float": lambda: torch.max(x, 1.5),
    "max keepdim": lambda: torch.max(x, 0, keepdim=1),
    "std text": lambda: x.std("a", foo=2),
    "var": lambda: torch.var("a"),
    "logsumexp": lambda: torch.logsumexp(x),
    "amax text": lambda: x.amax("a"),
}.items():
    show(name, wrong)
