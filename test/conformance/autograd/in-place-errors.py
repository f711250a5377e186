import torch

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


x = torch.randn(30, 20, device="cuda", requires_grad=True)

def attempt(label, f):
    try:
        f()
        print(label, "works")
    except RuntimeError as e:
        print(label, str(e)[:120])

y = torch.zeros(30, 20, device="cuda")
attempt("chunk", lambda: y.chunk(2)[0].copy_(x[:15]))
attempt("unbind", lambda: y.unbind(0)[0].mul_(x[0]))
with torch.no_grad():
    row, flat = y[0], x.view(-1)
print(flat.requires_grad, flat.is_leaf, flat.grad_fn)
attempt("row of no_grad", lambda: row.add_(x[0]))
attempt("view of no_grad", lambda: flat.add_(1))
attempt("leaf", lambda: x.add_(1))
attempt("row of a leaf", lambda: x[0].zero_())
e = x.exp()
p = e * e
e.add_(1)
attempt("changed after it was saved", lambda: p.sum().backward())
s = torch.sigmoid(x)
s.mul_(2)
attempt("changed result", lambda: s.sum().backward())
attempt("scalar output", lambda: (x * 2).backward())
attempt("no graph", lambda: x.detach().sum().backward())
attempt("out=", lambda: torch.mul(x, x, out=y))
mem("end")
