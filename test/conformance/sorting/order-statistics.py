import torch
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(40, 300, device="cuda", requires_grad=True)
mem("start")
def run(name, f, take=0):
    y = f()
    y = y[take] if isinstance(y, tuple) else y
    mem(name + str(tuple(y.shape)) + str(y.stride()))
    (y * 3).sum().backward()
    mem("  backward")
    x.grad = None
run("sort", lambda: x.sort())
run("sort 0", lambda: torch.sort(x, dim=0, descending=True))
run("sort stable", lambda: torch.sort(x, stable=True))
run("sort T", lambda: x.t().sort())
run("topk", lambda: x.topk(7))
run("topk 0", lambda: torch.topk(x, 3, dim=0, largest=False))
run("kthvalue", lambda: x.kthvalue(3))
run("kthvalue keep", lambda: torch.kthvalue(x, 3, dim=0, keepdim=True))
run("median", lambda: x.median())
run("median dim", lambda: torch.median(x, dim=1))
run("median keep", lambda: x.median(0, keepdim=True))
run("nanmedian", lambda: x.nanmedian())
run("mode", lambda: x.mode(1))

run("quantile", lambda: x.quantile(0.5))
run("quantile dim", lambda: torch.quantile(x, 0.3, dim=1))
run("quantile keep", lambda: torch.quantile(x, torch.tensor([0.1, 0.5], device="cuda"), dim=0, keepdim=True))
run("quantile lower", lambda: torch.quantile(x, 0.3, dim=1, interpolation="lower"))
run("max dim", lambda: x.max(1))
run("msort", lambda: x.msort())
mem("argsort " + str(x.argsort(1, descending=True).shape))
b = torch.linspace(0, 1, 11, device="cuda")
q = torch.searchsorted(b, x.detach()); mem("searchsorted"); del q
q = torch.bucketize(x.detach(), b, out_int32=True); mem("bucketize"); del q
q = x.detach().argmax(); mem("argmax")
v, k = x.detach().topk(5, sorted=False); mem("two"); del v; mem("one")
w = torch.zeros(40, 300, device="cuda").scatter_(1, k, 1.0); mem("one hot")
probs = x.detach().softmax(-1); sp, si = probs.sort(descending=True); cum = sp.cumsum(-1); mask = cum - sp > 0.9; sp[mask] = 0.0; mem("top p")
x = torch.randn(40, 300, device="cuda", requires_grad=True)
for name in ("max", "min", "median"):
    z = getattr(x, name)(); mem(name); (z * 2).backward(); mem("b"); x.grad = None
