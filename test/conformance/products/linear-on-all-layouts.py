import torch
import torch.nn.functional as F

def leaf(t):
    return t.detach().requires_grad_()
R = lambda *s: torch.randn(*s, device="cuda")
F.linear(R(2, 2), R(2, 2))
w0 = leaf(R(4, 4))
(w0 @ w0).sum().backward()
del w0
inputs = {"vector": R(60), "matrix": R(30, 60), "batch": R(5, 30, 60), "four": R(2, 5, 30, 60), "one token": R(1, 1, 60), "empty": R(0, 60),
          "strided": R(5, 30, 120)[..., ::2], "permuted": R(60, 5, 30).permute(1, 2, 0), "transposed": R(30, 5, 60).transpose(0, 1), "turned": R(60, 30).t(),
          "expanded": R(30, 60).expand(5, 30, 60)}
for name, a in inputs.items():
    for bias in (True, False):
        a_, w, b = leaf(a), leaf(R(40, 60)), leaf(R(40))
        base = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        y = F.linear(a_, w, b if bias else None)
        print(name, bias, tuple(y.shape), torch.cuda.memory_allocated() - base, torch.cuda.max_memory_allocated() - base)
        y.sum().backward()
        print("  ", torch.cuda.memory_allocated() - base, torch.cuda.max_memory_allocated() - base)
        del a_, w, b, y
x, w, b = leaf(R(30, 60)), leaf(R(40, 60)), leaf(R(40))
for what in ("weight", "input", "both"):
    y = F.linear(x.detach() if what != "weight" else x, w.detach() if what != "input" else w, b)
    y.sum().backward()
    print(what, "frozen", torch.cuda.memory_allocated(), [t.grad is not None for t in (x, w, b)])
    x.grad = w.grad = b.grad = None
