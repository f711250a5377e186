# Overloads that the types of arguments choose: scatters of tensors and numbers, positions, convolutions by a word; functions made of other operators.
import torch


def mem(what):
    print(f"{what}: {torch.cuda.memory_allocated()} max {torch.cuda.max_memory_allocated()}")


def said(what, f):
    try:
        r = f()
        print(what, tuple(r.shape), r.dtype, r.grad_fn.name() if r.grad_fn else None)
    except Exception as e:
        print(what, type(e).__name__, str(e))


x = torch.zeros(300, 500, device="cuda", requires_grad=True)
rows = torch.zeros(200, 500, dtype=torch.long, device="cuda")
s = torch.ones(200, 500, device="cuda")
mem("start")
for what, f in {
    "src": lambda: torch.scatter(x, 0, rows, s),
    "value": lambda: x.scatter(0, rows, 1.0),
    "value by name": lambda: x.scatter(dim=0, index=rows, value=2),
    "number in a tensor": lambda: x.scatter(0, rows, s[0, 0]),
    "src in place": lambda: x.clone().scatter_(0, rows, s),
    "value in place": lambda: x.clone().scatter_(0, rows, 1),
}.items():
    try:
        y = f()
        mem(what)
        y.sum().backward()
        mem(what + " backward")
    except RuntimeError as e:
        print(what, e)
    y = x.grad = None
    torch.cuda.reset_peak_memory_stats()

small = torch.zeros(3, 5, requires_grad=True)
i = torch.zeros(2, 5, dtype=torch.long)
t = torch.ones(2, 5)
for what, f in {
    "add": lambda: small.scatter(0, i, t, reduce="add"),
    "multiply": lambda: small.scatter(0, i, 2, reduce="multiply"),
    "add in place": lambda: small.clone().scatter_(0, i, t, reduce="add"),
    "other": lambda: small.scatter(0, i, t, reduce="bogus"),
    "text": lambda: small.scatter(0, i, "a"),
    "nothing": lambda: small.scatter(0, i),
    "out": lambda: torch.scatter(small, 0, i, 1.0, out=torch.empty(0)),
    "positions out": lambda: torch.nonzero(t, out=torch.empty(0, dtype=torch.long)),
    "equal out": lambda: torch.eq(small, 1, out=torch.empty(0, dtype=torch.bool)),
    "same": lambda: torch.conv1d(t[None], torch.ones(2, 2, 3), padding="same"),
    "wrong word": lambda: torch.conv1d(t[None], torch.ones(2, 2, 3), padding="bad"),
    "no weight": lambda: torch.conv1d(t[None], 3),
    "tuple": lambda: torch.conv2d(t[None], torch.ones(2, 2, 3), padding=1.5),
    "index_put of a tensor": lambda: torch.index_put(t, i, t),
    "joined tensor": lambda: torch.cat(t),
    "joined generator": lambda: torch.cat(r for r in t),
    "joined number": lambda: torch.cat([t, 3]),
    "joined nothing": lambda: torch.cat((t, None)),
    "fill": lambda: torch.fill(small, 2),
    "diagonal": lambda: small.clone().fill_diagonal_(1),
    "difference": lambda: torch.diff(small, n=1, dim=0, prepend=t),
    "pairs": lambda: torch.pdist(small),
}.items():
    said(what, f)
for what, f in {
    "add backward": lambda: small.scatter(0, i, t, reduce="add").sum().backward(),
    "in place backward": lambda: small.clone().scatter_(0, i, 2, reduce="add").sum().backward(),
    "both": lambda: torch.nonzero(t, as_tuple=True, out=torch.empty(0, dtype=torch.long)),
}.items():
    try:
        f()
    except RuntimeError as e:
        print(what, e)
