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
case("renorm", lambda x: T.renorm(x, 2, 0, 1.0), m())
case("renorm 1", lambda x: T.renorm(x, 1, 1, 1.0), m())
case("gradient none", lambda x: T.gradient(x, dim=0), T.zeros(100, 1000, device="cuda").int())
i = T.ones(100, 1000, device="cuda", dtype=T.int64)
case("lcm", T.lcm, i, i)
case("bernoulli", T.bernoulli, m())
case("rot90", lambda x: T.rot90(x, 1, (0, 1)), m())
case("rot180", lambda x: T.rot90(x, 2, (0, 1)), m())
case("rot270", lambda x: T.rot90(x, -1, (0, 1)), m())
case("select", lambda x: T.select(x, 0, 3), m())
case("unflatten", lambda x: T.unflatten(x, 1, (10, 100)), m())
case("constant_pad_nd", lambda x: T.constant_pad_nd(x, (1, 2), 0.5), m())
case("cumulative_trapezoid", T.cumulative_trapezoid, i.int())
case("as_strided", lambda x: T.as_strided(x, (50, 100), (1000, 1)), m())
case("sum_to_size", lambda x: x.sum_to_size(1, 1000), m())
case("grid_sampler_2d", lambda x, g: T.grid_sampler_2d(x, g, 0, 0, False), leaf(2, 3, 20, 20), leaf(2, 10, 10, 2))
case("round", lambda x: T.round(x, decimals=2), m())
k = T.ones(1000, device="cuda") > 0
for name in ("sum", "amax", "amin", "mean", "norm", "argmax", "argmin", "logsumexp", "cumsum", "softmax", "softmin", "log_softmax", "median", "normalize", "var", "std"):
    function = getattr(T.masked, name)
    extra = (2.0,) if name in ("norm", "normalize") else ()
    case(f"masked {name}", lambda x: function(x, *extra, dim=1, mask=k), m())
    case(f"masked {name} none", lambda x: function(x, *extra, dim=1), m())
W = T.signal.windows
for name in ("bartlett", "blackman", "cosine", "exponential", "gaussian", "hamming", "hann", "nuttall"):
    case(f"window {name}", lambda: getattr(W, name)(1000, device="cuda"))
case("window cosines", lambda: W.general_cosine(1000, a=[0.5, 0.3, 0.2], device="cuda"))
case("window general", lambda: W.general_hamming(1000, device="cuda", sym=False))
