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


x = (torch.rand(60, 50, device="cuda") * 0.8 + 0.1).requires_grad_()
y = (torch.rand(60, 50, device="cuda") * 0.8 + 0.1).requires_grad_()
n = torch.randint(0, 9, (60, 50), device="cuda")
leaves = [x, y]
special = torch.special
for name in "trunc angle isposinf isneginf real conj_physical resolve_conj resolve_neg asinh acosh atanh i0 sinc lgamma digamma deg2rad rad2deg".split():
    f = getattr(torch, name)
    show(name, lambda: f(x))
for name in "i1 i1e i0e ndtri erfcx log_ndtr entr ndtr".split():
    show("special." + name, lambda: getattr(special, name)(x.detach() if name in ("i1", "i1e", "i0e", "ndtri") else x))
show("xlog1py", lambda: special.xlog1py(x, y))
show("xlogy", lambda: torch.xlogy(x, y))
show("mvlgamma", lambda: torch.mvlgamma(x + 5, 3))
show("heaviside", lambda: torch.heaviside(x.detach(), y.detach()))
show("logical_xor", lambda: torch.logical_xor(x, y))
show("bitwise_xor", lambda: n ^ n)
show("isin", lambda: torch.isin(n, n[0]))
show("nanmedian", lambda: torch.nanmedian(x, 0))
show("nanquantile", lambda: torch.nanquantile(x, 0.5, dim=0))
show("trace", lambda: torch.trace(x))
show("squeeze", lambda: x[None, :, None].squeeze((0, 2)))
show("view", lambda: x.detach().view(torch.int32))
show("argwhere", lambda: torch.argwhere(torch.ones(4, 5)))
show("randint_like", lambda: torch.randint_like(x, 5))
show("poisson", lambda: torch.poisson(x.detach()))
for name in "cauchy_ log_normal_".split():
    show(name, lambda: getattr(y.detach(), name)())
show("geometric_", lambda: y.detach().geometric_(0.5))
show("tril_indices", lambda: torch.tril_indices(5, 6, device="cuda"))
show("normal", lambda: torch.normal(x.detach(), y.detach()))
show("index_reduce", lambda: x.detach().index_reduce(0, n[0, :50] * 0 + torch.arange(50, device="cuda"), y.detach()[:50], "mean"))
