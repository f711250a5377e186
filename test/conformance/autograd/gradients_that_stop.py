# A function that gives no gradient for an input: what is behind runs without one, and a function there is given zeros.
import torch


class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weight, scale):
        return torch.round(weight * scale)

    @staticmethod
    def backward(ctx, grad):
        return grad.clone() * 2, None


class AsksForNone(Rounded):
    @staticmethod
    def forward(ctx, weight, scale):
        ctx.set_materialize_grads(False)
        return torch.round(weight * scale)

    @staticmethod
    def backward(ctx, grad):
        return None if grad is None else grad.clone(), None


class Stops(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a + b

    @staticmethod
    def backward(ctx, grad):
        return grad.clone(), None


def show(name, path):
    a, w = (torch.nn.Parameter(torch.ones(4, 256, device="cuda")) for _ in range(2))
    b = path(w)
    y = Stops.apply(a[: b.shape[0]], b)
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    y.sum().backward()
    print(name, w.grad is None, torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before)


show("a function", lambda w: Rounded.apply(w, 2.0))
show("a function and operators", lambda w: Rounded.apply(w, 2.0)[:2] * 3)
show("a function that asks for None", lambda w: AsksForNone.apply(w, 2.0))
show("operators", lambda w: w * 3)
show("two functions", lambda w: Rounded.apply(Rounded.apply(w, 2.0) * 2, 3.0))
