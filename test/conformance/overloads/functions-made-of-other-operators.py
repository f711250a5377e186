import torch

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())

x = torch.randn(300, 200, device="cuda", requires_grad=True)
mem("start")
u, s, v = torch.svd_lowrank(x.detach(), q=8)
mem("svd_lowrank")
u, s, v = torch.pca_lowrank(x.detach(), q=5)
mem("pca_lowrank")
m = torch.nanmean(x, 1)
mem("nanmean")
m.sum().backward()
mem("backward")
c = torch.cov(x.detach())
mem("cov")
k = torch.corrcoef(x.detach())
mem("corrcoef")
p = torch.float_power(x.detach(), 2)
mem("float_power")
i = torch.unravel_index(torch.arange(5000, device="cuda"), (50, 100))
mem("unravel_index")
t = torch.trapezoid(x.detach())
mem("trapezoid")
y = torch.slice_scatter(x.detach(), torch.ones(100, 200, device="cuda"), 0, 0, 100)
mem("slice_scatter")
y = torch.select_scatter(x.detach(), torch.ones(200, device="cuda"), 0, 3)
mem("select_scatter")
y = torch.diagonal_scatter(x.detach(), torch.ones(200, device="cuda"))
mem("diagonal_scatter")
y = torch.unfold_copy(x.detach(), 1, 20, 20)
mem("unfold_copy")
y = torch.permute_copy(x.detach(), (1, 0))
mem("permute_copy")
d = torch.diagflat(x.detach()[0])
mem("diagflat")
mask = torch.ones(300, 200, dtype=torch.bool, device="cuda")
r = torch.masked.mean(x.detach(), 1, mask=mask)
mem("masked.mean")
r = torch.masked.var(x.detach(), 1, mask=mask)
mem("masked.var")
r = torch.masked.softmax(x.detach(), 1, mask=mask)
mem("masked.softmax")
a, b = torch.nn.Parameter(torch.ones(30, 40, device="cuda")), torch.nn.Parameter(torch.ones(50, device="cuda"))
torch.utils.swap_tensors(a, b)
print(tuple(a.shape), tuple(b.shape))
del a
mem("swap_tensors")
z = torch.zeros(1000, device="cuda")
w = torch.zeros(30, 40, device="cuda")
q = torch.autograd.Variable(z, requires_grad=True)
mem("variable")
f = torch._utils._flatten_dense_tensors([x.detach(), w])
mem("flatten")
g = torch._utils._unflatten_dense_tensors(f, [x.detach(), w])
mem("unflatten")
@torch.library.custom_op("surface::scaled", mutates_args=())
def scaled(t: torch.Tensor, factor: float) -> torch.Tensor:
    twice = t * 2
    return twice * factor
@scaled.register_fake
def _(t, factor):
    return torch.empty_like(t)
def setup_context(ctx, inputs, output):
    ctx.save_for_backward(inputs[0])
    ctx.factor = inputs[1]
def backward(ctx, grad):
    (t,) = ctx.saved_tensors
    return grad * ctx.factor + t, None
scaled.register_autograd(backward, setup_context=setup_context)
x.grad = None
o = scaled(x, 3.0)
mem("custom op")
o.sum().backward()
mem("custom backward")
