# the least and the greatest of all numbers of a tensor that is not contiguous
import torch

x = torch.zeros(300, 1000, device="cuda")
y = x[:, ::2]
w = x.t()
z = torch.zeros(1000, device="cuda").expand(500, 1000)
for t in (x, y, w, z):
    for f in (torch.min, torch.max, torch.aminmax, torch.amin, torch.sum, torch.all):
        torch.cuda.reset_peak_memory_stats()
        base = torch.cuda.memory_allocated()
        r = f(t)
        print(f.__name__, torch.cuda.max_memory_allocated() - base)
        del r
for loc, scale in ((z, z), (x, z[:300]), (w, w), (z, 1.0), (0.0, z)):
    torch.cuda.reset_peak_memory_stats()
    base = torch.cuda.memory_allocated()
    try:
        torch.normal(loc, scale)
    except RuntimeError:
        print("no")
    print("normal", torch.cuda.max_memory_allocated() - base)
