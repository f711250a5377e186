import torch
def used(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(64, 300, device="cuda"); used("x")
for n, f in {"sum": lambda: x.sum(), "sum0": lambda: x.sum(0), "mean1": lambda: x.mean(1, keepdim=True), "max": lambda: x.max(), "max1": lambda: x.max(1), "argmax": lambda: x.argmax(), "argmin1": lambda: x.argmin(1), "min0": lambda: x.min(0),
             "std": lambda: x.std(), "var0": lambda: x.var(0), "norm": lambda: x.norm(), "norm1": lambda: x.norm(p=1, dim=1), "prod": lambda: x.prod(1), "any": lambda: (x > 0).any(), "all0": lambda: (x > 0).all(0), "median": lambda: x.median(1), "cumsum": lambda: x.cumsum(1),
             "cumprod": lambda: x.cumprod(0), "logsumexp": lambda: x.logsumexp(0), "topk": lambda: x.topk(5), "sort": lambda: x.sort(1), "argsort": lambda: x.argsort(0), "kth": lambda: x.kthvalue(3), "aminmax": lambda: x.aminmax(dim=1), "count": lambda: x.count_nonzero(), "nansum": lambda: x.nansum(), "quant": lambda: x.amax((0, 1)), "bincount": lambda: torch.histc(x, 20), "dist": lambda: torch.dist(x, x * 2), "lsm": lambda: x.log_softmax(0), "softmax": lambda: x.softmax(-1)}.items():
    torch.cuda.reset_peak_memory_stats()
    r = f(); used(n)
    del r
used("end")
