# Finite differences by each way to say steps and dimensions, choices of elements, powers and weighted covariance.
import torch


def mem(what):
    print(f"{what}: {torch.cuda.memory_allocated()} max {torch.cuda.max_memory_allocated()}")
    torch.cuda.reset_peak_memory_stats()


x = torch.zeros(300, 700, device="cuda", requires_grad=True)
mem("start")
coordinates = [torch.arange(n, device="cuda").float() for n in x.shape]
mem("coordinates")
for what, f in {
    "all": lambda: torch.gradient(x),
    "a number": lambda: torch.gradient(x, spacing=2),
    "a dimension": lambda: torch.gradient(x, dim=1),
    "a number and dimensions": lambda: torch.gradient(x, spacing=0.5, dim=(0, 1)),
    "dimensions": lambda: torch.gradient(x, dim=[1, 0]),
    "numbers": lambda: torch.gradient(x, spacing=[1.0, 2.0]),
    "numbers and dimensions": lambda: torch.gradient(x, spacing=(2, 1.5), dim=(1, 0)),
    "coordinates": lambda: torch.gradient(x, spacing=coordinates),
    "coordinates and dimensions": lambda: torch.gradient(x, spacing=tuple(coordinates), dim=(0, 1)),
    "second order": lambda: torch.gradient(x, edge_order=2),
}.items():
    parts = f()
    print(what, [(tuple(p.shape), p.dtype, p.grad_fn.name()) for p in parts])
    mem(what)
    sum(p.sum() for p in parts).backward()
    mem(what + " backward")
    parts = x.grad = None
for what, f in {
    "third order": lambda: torch.gradient(x, edge_order=3),
    "too few": lambda: torch.gradient(x, spacing=[1.0]),
    "too many ranks": lambda: torch.cov(torch.zeros(2, 2, 2)),
    "ranks of corrcoef": lambda: torch.corrcoef(torch.zeros(2, 2, 2)),
    "matrix of choices": lambda: torch.combinations(torch.zeros(2, 2)),
    "negative choices": lambda: torch.combinations(torch.zeros(2), r=-1),
    "powers of a matrix": lambda: torch.vander(torch.zeros(2, 2)),
    "negative powers": lambda: torch.vander(torch.zeros(2), N=-1),
}.items():
    try:
        f()
    except RuntimeError as e:
        print(what, e)

v = torch.arange(700, device="cuda").float()
mem("vector")
for n, increasing in ((None, False), (5, True), (1, False), (0, True)):
    w = torch.vander(v[:400], n, increasing)
    mem(f"vander {n} {increasing} {tuple(w.shape)}")
del w
p = torch.combinations(v[:60])
mem(f"pairs {tuple(p.shape)}")
p = torch.combinations(v[:30], r=3, with_replacement=True)
mem(f"triples {tuple(p.shape)}")
p = torch.combinations(v, r=0)
mem(f"none {tuple(p.shape)}")
del p
frequencies, weights = torch.ones(7, dtype=torch.long), torch.arange(7).float()
for what, options in {
    "frequencies": {"fweights": frequencies},
    "weights": {"aweights": weights},
    "both": {"fweights": frequencies, "aweights": weights},
    "no correction": {"aweights": weights, "correction": 0},
    "matrix": {"aweights": torch.ones(2, 7)},
    "too few weights": {"fweights": frequencies[:3]},
}.items():
    try:
        c = torch.cov(torch.zeros(3, 7), **options)
        print("cov with", what, tuple(c.shape), c.dtype)
    except RuntimeError as e:
        print("cov with", what, e)
m = torch.nanmean(x)
mem("nanmean")
m.backward()
mem("nanmean backward")
n = torch.nanmean(x, (0, 1), True, dtype=torch.float64)
mem(f"nanmean of all {tuple(n.shape)} {n.dtype}")
