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
i = torch.ones(100, 1000, device="cuda", dtype=torch.int32)
case("ldexp", torch.ldexp, leaf(100, 1000), i)
case("ldexp both", torch.ldexp, leaf(100, 1000), leaf(100, 1000))
case("ldexp int", torch.ldexp, i, i)
S = torch.special
for name in ("i0", "i0e", "i1", "i1e", "ndtri", "sinc", "digamma", "psi", "gammaln", "erf", "erfc", "erfcx", "erfinv", "exp2", "expit", "expm1", "log1p", "log_ndtr", "ndtr", "entr", "logit", "airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_i0", "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "spherical_bessel_j0", "round"):
    case(name, getattr(S, name), leaf(100, 1000))
    if name in ("i0e", "bessel_j0"):
        case(name + " int", getattr(S, name), i)
for name in ("zeta", "gammainc", "gammaincc", "xlogy", "xlog1py", "chebyshev_polynomial_t", "hermite_polynomial_h", "laguerre_polynomial_l", "legendre_polynomial_p"):
    case(name, getattr(S, name), leaf(100, 1000), leaf(100, 1000))
case("zeta const", lambda x: S.zeta(x, 2.0), leaf(100, 1000))
case("gammainc const", S.gammainc, torch.ones(100, 1000, device="cuda").long() * 1.0, leaf(100, 1000))
case("polygamma", lambda x: S.polygamma(2, x), leaf(100, 1000))
case("multigammaln", lambda x: S.multigammaln(x + 5, 3), leaf(100, 1000))
case("logcumsumexp", lambda x: torch.logcumsumexp(x, 1), leaf(100, 1000))
case("frexp", torch.frexp, leaf(100, 1000))
case("nextafter", torch.nextafter, leaf(100, 1000), leaf(100, 1000))
case("igamma", torch.igamma, leaf(100, 1000).detach(), leaf(100, 1000))
case("unfold", lambda x: x.unfold(1, 10, 5), leaf(100, 1000))
case("unfold apart", lambda x: x.unfold(1, 5, 10), leaf(100, 1000))
case("unfold 0", lambda x: x.unfold(0, 10, 5), leaf(100, 1000))
case("unfold even", lambda x: x.unfold(1, 10, 10), leaf(100, 1000))
F = torch.nn.functional
case("gn", lambda x, w, b: F.group_norm(x, 5, w, b), leaf(64, 50, 30), leaf(50), leaf(50))
case("gn none", lambda x: F.group_norm(x, 5), leaf(64, 50, 30))
case("gn 4d", lambda x, w, b: F.group_norm(x, 4, w, b), leaf(8, 64, 16, 16), leaf(64), leaf(64))
case("gn 1", lambda x, w, b: F.group_norm(x, 4, w, b), leaf(80, 64), leaf(64), leaf(64))
case("gn frozen", lambda x: F.group_norm(x, 4, torch.ones(64, device="cuda"), torch.ones(64, device="cuda")), leaf(8, 64, 16, 16))
def bn(x, w, b, training=True):
    n = x.shape[1]
    return F.batch_norm(x, torch.zeros(n, device="cuda"), torch.ones(n, device="cuda"), w, b, training)
case("bn1d", bn, leaf(64, 500), leaf(500), leaf(500))
case("bn1d tall", bn, leaf(5000, 50), leaf(50), leaf(50))
case("bn1d wide", bn, leaf(8, 5000), leaf(5000), leaf(5000))
case("bn1d eval", lambda x, w, b: bn(x, w, b, False), leaf(64, 500), leaf(500), leaf(500))
case("ln", lambda x, w, b: F.layer_norm(x, (64,), w, b), leaf(20000, 64), leaf(64), leaf(64))
case("ln wide", lambda x, w, b: F.layer_norm(x, (6400,), w, b), leaf(20, 6400), leaf(6400), leaf(6400))
for n in (10, 1000, 30000, 100000, 1000000):
    case(f"randperm {n}", lambda: torch.randperm(n, device="cuda"))
case("randperm int32", lambda: torch.randperm(100000, device="cuda", dtype=torch.int32))
case("normal tensor", lambda: torch.normal(torch.zeros(1000, 100, device="cuda"), 1.0))
print("end", torch.cuda.memory_allocated())
