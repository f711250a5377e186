import torch

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


from torch.autograd.function import once_differentiable

x = torch.randn(300, 200, device="cuda", requires_grad=True)
w = torch.randn(300, 200, device="cuda", requires_grad=True)

class Once(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a.exp()

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        a, = ctx.saved_tensors
        return g * a.exp()

class Product(torch.autograd.Function):
    @staticmethod
    def forward(a, b):
        return a @ b.t()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return (g @ b if ctx.needs_input_grad[0] else None, g.t() @ a if ctx.needs_input_grad[1] else None)

class Kept(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.factor = a.exp()
        return ctx.factor * 2

    @staticmethod
    def backward(ctx, g):
        return g * ctx.factor * 2

class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2

    @staticmethod
    def backward(ctx, g):
        return g, g

Once.apply(x).sum().backward()
mem("once")
x.grad = None
y = Product.apply(x, w.detach())
y.sum().backward()
mem("product of one")
x.grad = None
y = Kept.apply(x)
mem("attribute")
y.sum().backward()
mem("backward keeps it")
del y
mem("gone")
x.grad = None
try:
    Wrong.apply(x).sum().backward()
except RuntimeError as e:
    print(e)
mem("end")
