# What is not above a threshold becomes one value: torch.threshold, in place, and torch.nn.functional's names.
import torch
import torch.nn.functional as F


def say(what, *more):
    print(f"{what}: {torch.cuda.memory_allocated()} now, {torch.cuda.max_memory_allocated()} at most", *more)
    torch.cuda.reset_peak_memory_stats()


x = torch.randn(256, 1024, device="cuda", requires_grad=True)
y = torch.threshold(x, 0.5, 0.0)
say("threshold", y.grad_fn.name())
z = torch.threshold_(y * 2, 0.1, 1)
say("in place", z.grad_fn.name())
w = F.threshold_(z + 1, threshold=0.5, value=2)
say("of nn.functional", w.grad_fn.name())
w.sum().backward()
say("backward", tuple(x.grad.shape))
with torch.no_grad():
    out = torch.empty(0, device="cuda")
    say("out", tuple(torch.threshold(x, 0, 0, out=out).shape))
    say("whole numbers", torch.threshold(torch.arange(8, device="cuda"), 3, 9).dtype, F.threshold_ is torch.threshold_)
