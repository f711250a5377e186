import torch

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b, a + b

    @staticmethod
    def backward(ctx, g, h):
        a, b = ctx.saved_tensors
        return g * b + h, g * a + h

class Sorted(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        values, order = a.sort(dim=1)
        ctx.mark_non_differentiable(order)
        ctx.save_for_backward(order)
        return values, order

    @staticmethod
    def backward(ctx, g, unused):
        print(unused.dtype, tuple(unused.shape))
        order, = ctx.saved_tensors
        return torch.zeros_like(g).scatter(1, order, g)

class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        a.mul_(2)
        ctx.mark_dirty(a)
        return a

    @staticmethod
    def backward(ctx, g):
        return g * 2

class Sparse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.set_materialize_grads(False)
        return a * 2, b * 3

    @staticmethod
    def backward(ctx, g, h):
        print(g is None, h is None)
        return None if g is None else g * 2, None if h is None else h * 3

x = torch.randn(300, 200, device="cuda", requires_grad=True)
w = torch.randn(300, 200, device="cuda", requires_grad=True)
def clear():
    x.grad = w.grad = None
p, q = Both.apply(x, w)
mem("two outputs")
(p.sum() + q.sum()).backward()
mem("backward"); clear()
p, q = Both.apply(x, w)
del q
p.sum().backward()
mem("one of them used"); clear()
v, i = Sorted.apply(x)
print(v.requires_grad, i.requires_grad)
v.sum().backward()
mem("sorted"); clear()
del p, v, i
y = x * 1
z = Doubled.apply(y)
print(z is y)
z.sum().backward()
mem("dirty"); clear()
del y, z
mem("dirty gone")
p, q = Sparse.apply(x, w)
q.sum().backward()
mem("not materialised")
print(x.grad is None)
