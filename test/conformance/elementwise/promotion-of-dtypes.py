import torch

names = ["float64", "float32", "float16", "int64", "int32", "uint8", "bool"]
T = {n: torch.ones(20, 30, device="cuda", dtype=getattr(torch, n)) for n in names}
S = {n: torch.ones((), device="cuda", dtype=getattr(torch, n)) for n in names}
def show(label, f):
    base = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    r = f()
    print(label, r.dtype if isinstance(r, torch.Tensor) else r, torch.cuda.memory_allocated() - base, torch.cuda.max_memory_allocated() - base)
for a in names:
    for b in names:
        show(f"{a} + {b}", lambda: T[a] + T[b])
        show(f"{a} * 0-dim {b}", lambda: T[a] * S[b])
        show(f"where {a} {b}", lambda: torch.where(T["bool"], T[a], T[b]))
        show(f"cat {a} {b}", lambda: torch.cat([T[a], T[b]]))
        show(f"result_type {a} {b}", lambda: torch.result_type(T[a], S[b]))
    for n in (2, 2.5):
        show(f"{a} + {n}", lambda: T[a] + n)
        show(f"{a} / {n}", lambda: T[a] / n)
        show(f"{a} ** {n}", lambda: T[a] ** n)
    show(f"sum {a}", lambda: T[a].sum())
    show(f"logsumexp {a}", lambda: T[a].logsumexp(0))
    show(f"count_nonzero {a}", lambda: T[a].count_nonzero())
    show(f"clamp {a}", lambda: T[a].clamp(0, 1))
