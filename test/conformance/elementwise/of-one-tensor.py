import torch

x = torch.rand(50, 40, device="cuda", requires_grad=True)
for name in ("abs neg sgn exp exp2 expm1 log log2 log10 log1p sqrt rsqrt square reciprocal sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc erfinv "
             "lgamma digamma sigmoid logit positive i0 sinc deg2rad rad2deg nan_to_num frac round floor").split():
    torch.cuda.reset_peak_memory_stats()
    y = getattr(torch, name)(x)
    print(name, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    y.sum().backward()
    print("  ", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    del y
    x.grad = None
for name in "isnan isinf isfinite isreal signbit logical_not".split():
    torch.cuda.reset_peak_memory_stats()
    y = getattr(torch, name)(x)
    print(name, y.dtype, y.requires_grad, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
