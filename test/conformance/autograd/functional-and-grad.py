import torch

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


from torch.autograd import functional as A

v = torch.randn(20, device="cuda", requires_grad=True)
ones = torch.ones_like(v)
f = lambda a: (a ** 2).sum()
def show(name, r):
    r = r if isinstance(r, tuple) else (r,)
    print(name, [tuple(t.shape) for t in r], [t.requires_grad for t in r], torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
show("jacobian", A.jacobian(lambda a: a ** 2, v))
show("with graph", A.jacobian(lambda a: a ** 2, v, create_graph=True))
show("hessian", A.hessian(f, v))
show("vjp", A.vjp(lambda a: a ** 2, v, ones))
show("jvp", A.jvp(lambda a: a ** 2, v, ones))
show("hvp", A.hvp(f, v, ones))
show("vhp", A.vhp(f, v, ones))
x = torch.randn(300, 100, device="cuda", requires_grad=True)
u = torch.randn(5, device="cuda", requires_grad=True)
try:
    torch.autograd.grad((x * 2).sum(), [x, u])
except RuntimeError as e:
    print("appears to not have been used" in str(e))
print(torch.autograd.grad((x * 2).sum(), [x, u], allow_unused=True)[1])
print(torch.autograd.grad((x * 2).sum(), [x, u], materialize_grads=True)[1].shape)
torch.autograd.backward([(x * 2).sum(), (u * 3).sum()])
mem("two roots")
x.grad = u.grad = None
(x * x).backward(torch.ones_like(x), inputs=[x])
mem("inputs=")
y = x * 2
g = torch.autograd.grad([y.sum(), (y * 2).sum()], [x], grad_outputs=[torch.ones((), device="cuda"), None])
mem("several outputs")
