import torch
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
p = torch.randn(40, 30, device="cuda", requires_grad=True)
v = torch.randn(30, device="cuda", requires_grad=True)
i = torch.tensor([3, 1, 2], device="cuda")
def run(name, f):
    z = p * 1
    w = v * 2
    f(z, w)
    mem(name)
    (z * z).sum().backward()
    mem("  backward")
    p.grad = v.grad = None
run("int scalar", lambda z, w: z.__setitem__(0, 3.0))
run("int row", lambda z, w: z.__setitem__(0, w))
run("slice", lambda z, w: z.__setitem__(slice(1, 5), w))
run("slice step", lambda z, w: z.__setitem__(slice(0, 20, 3), 0))
run("ellipsis", lambda z, w: z.__setitem__(Ellipsis, w))
run("tuple", lambda z, w: z.__setitem__((slice(None), 3), 1))
run("tuple2", lambda z, w: z.__setitem__((slice(2, 4), slice(1, 9)), w[:8]))
run("idx scalar", lambda z, w: z.__setitem__(i, 1.5))
run("idx row", lambda z, w: z.__setitem__(i, w))
run("idx col", lambda z, w: z.__setitem__((slice(None), i), w[:3]))
run("list", lambda z, w: z.__setitem__([0, 4], w))
run("idx idx", lambda z, w: z.__setitem__((i, i), w[:3]))
run("mask scalar", lambda z, w: z.__setitem__(z > 0, 0.0))
run("None", lambda z, w: z.__setitem__(None, w))
run("True", lambda z, w: z.__setitem__(True, w))
run("False", lambda z, w: z.__setitem__(False, w))
run("leading ones", lambda z, w: z.__setitem__(0, w.view(1, 1, 30)))
run("iadd row", lambda z, w: z[2].add_(w))
def aug(z, w):
    z[3] += w
    z[:, 4] *= 2
    z[i] += 1
run("augmented", aug)
