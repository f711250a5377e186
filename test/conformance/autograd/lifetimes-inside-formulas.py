import torch, time
def leaf(*shape):
    return torch.zeros(*shape, device="cuda") + 0.5
def case(tag, make, *inputs):
    inputs = [i.detach().requires_grad_() if i.is_floating_point() else i for i in inputs]
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    try:
        out = make(*inputs)
    except Exception as e:
        print(tag, type(e).__name__, str(e)[:150].replace("\n", " "))
        return
    print(tag, torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before)
    outs = [o for o in (out if isinstance(out, (tuple, list)) else (out,)) if o.requires_grad]
    if not outs:
        print(tag, "no gradient")
        return
    g = [torch.ones_like(o) for o in outs]
    time.sleep(0.03)
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    r = None
    try:
        r = torch.autograd.grad(outs, [i for i in inputs if i.requires_grad], g, allow_unused=True)
    except Exception as e:
        print(tag, "backward", type(e).__name__, str(e)[:150].replace("\n", " "))
    time.sleep(0.03)
    print(tag, "backward", torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before)
m = lambda: leaf(100, 1000)
T = torch
nodes = lambda out: [t.grad_fn.name() for t in (out if isinstance(out, (tuple, list)) else (out,)) if t.grad_fn][:2]
def named(tag, make, *inputs):
    case(tag, make, *inputs)
    try:
        print(tag, *nodes(make(*[i.detach().requires_grad_() if i.is_floating_point() else i for i in inputs])))
    except Exception as e:
        print(tag, type(e).__name__)
named("clamp_min", T.clamp_min, m(), m())
named("clamp_max", T.clamp_max, m(), m())
named("clamp_max row", T.clamp_max, m(), leaf(1000))
named("clamp_min number", lambda x: T.clamp_min(x, 0.25), m())
named("copysign row", T.copysign, m(), leaf(1000))
named("diff none", lambda x: T.diff(x, 0), m())
named("dist", T.dist, m(), m())
named("dist 3", lambda x, y: T.dist(x, y, 3), m(), m())
named("repeat", lambda x: x.repeat(3, 1, 2), m())
named("repeat row", lambda x: x.repeat(4, 5, 2), leaf(1000))
named("tile", lambda x: x.tile((2, 2)), leaf(1000))
for p in (-1.0, 0.5, 1.5, 3.0, 5.0):
    case(f"norm {p}", lambda x: T.norm(x, p), m())
    case(f"norm rows {p}", lambda x: T.norm(x, p, 1), m())
    named(f"pairwise_distance {p}", lambda x, y: T.pairwise_distance(x, y, p), m(), m())
named("mode", lambda x: T.mode(x, 1), m())
named("mode columns", lambda x: T.mode(x, 0), m())
b = T.zeros(2000, device="cuda")[::2]
i = T.zeros(1000, device="cuda", dtype=T.int64)
named("searchsorted", lambda x: T.searchsorted(b, x), m())
named("searchsorted sorter", lambda x: T.searchsorted(b, x, sorter=i), m())
j = T.zeros(100, 1000, device="cuda", dtype=T.int64)
for kind in ("prod", "mean", "amax", "amin", "sum"):
    named(f"scatter_reduce {kind}", lambda x, s: T.scatter_reduce(x, 1, j, s, kind), m(), m())
    named(f"scatter_reduce without {kind}", lambda x, s: T.scatter_reduce(x, 1, j, s, kind, include_self=False), m(), m())
    if kind != "sum":
        named(f"index_reduce {kind}", lambda x, s: T.index_reduce(x, 1, i, s, kind), m(), m())
grids = T.meshgrid(leaf(100), leaf(300), leaf(2), indexing="xy")
print("meshgrid", [list(g.shape) for g in grids])
named("meshgrid", lambda x, y: T.meshgrid(x, y, indexing="xy"), leaf(100), leaf(300))
named("cov", T.cov, m())
named("cov row", T.cov, leaf(1000))
named("celu", T.nn.functional.celu, m())
named("sort", T.sort, m())
named("sort stable", lambda x: T.sort(x, stable=True), m())
named("lerp", T.lerp, m(), m(), m())
named("lerp number", lambda x, y: T.lerp(x, y, 0.5), m(), m())
named("fmod", T.fmod, m(), m())
named("remainder number", lambda x: x % 3, m())
named("remainder", lambda x, y: x % y, m(), m())
named("div floor", lambda x, y: T.div(x, y, rounding_mode="floor"), m(), m())
named("isclose", T.isclose, m(), m())
named("isclose exactly", lambda x, y: T.isclose(x, y, 0.0, 0.0, equal_nan=True), m(), m())
named("narrow_copy", lambda x: T.narrow_copy(x, 0, 10, 20), m())
for name, args in (("alias", ()), ("as_strided", ((50, 1000), (1000, 1))), ("diagonal", ()), ("expand", ((2, 100, 1000),)), ("permute", ((1, 0),)), ("select", (0, 3)), ("split_with_sizes", ((30, 70),)), ("squeeze", ()), ("t", ()), ("transpose", (0, 1)), ("unbind", ()), ("unsqueeze", (0,)), ("view", ((1000, 100),))):
    named(f"{name}_copy", lambda x: getattr(T, f"{name}_copy")(x, *args), m())
named("select_scatter", lambda x, s: T.select_scatter(x, s, 0, 10), m(), leaf(1000))
named("diagonal_scatter", T.diagonal_scatter, m(), leaf(100))
named("as_strided_scatter", lambda x, s: T.as_strided_scatter(x, s, (50, 1000), (1000, 1)), m(), leaf(50, 1000))
