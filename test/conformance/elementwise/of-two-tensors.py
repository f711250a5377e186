import torch

x = torch.rand(50, 40, device="cuda", requires_grad=True)
w = torch.rand(50, 40, device="cuda", requires_grad=True)
for name, f in [("pow", lambda: x ** w), ("number ** t", lambda: 2 ** x), ("number / t", lambda: 2 / x), ("atan2", lambda: torch.atan2(x, w)), ("hypot", lambda: torch.hypot(x, w)),
                ("lerp", lambda: torch.lerp(x, w, x)), ("addcmul", lambda: torch.addcmul(x, w, w, value=0.5)), ("addcdiv", lambda: torch.addcdiv(x, w, w)),
                ("maximum", lambda: torch.maximum(x, w)), ("fmin", lambda: torch.fmin(x, w)), ("fmax", lambda: torch.fmax(x, w)), ("clamp tensors", lambda: x.clamp(w * 0.1, w)),
                ("clamp low", lambda: x.clamp(min=w)), ("clamp_max", lambda: x.clamp_max(0.1)), ("xlogy", lambda: torch.xlogy(x, w)), ("logaddexp", lambda: torch.logaddexp(x, w)),
                ("logaddexp2", lambda: torch.logaddexp2(x, w)), ("copysign", lambda: torch.copysign(x, w)), ("remainder", lambda: torch.remainder(x, w)), ("floor div", lambda: x // 0.3),
                ("where", lambda: torch.where(x > w, x, 0.5)), ("masked_fill", lambda: x.masked_fill(w > 0.5, 0.0)), ("entr", lambda: torch.special.entr(x)),
                ("ndtr", lambda: torch.special.ndtr(x)), ("polygamma", lambda: torch.polygamma(1, x))]:
    torch.cuda.reset_peak_memory_stats()
    y = f()
    print(name, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    try:
        y.sum().backward()
    except RuntimeError as e:
        print("  ", e)
    print("  ", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    del y
    x.grad = w.grad = None
