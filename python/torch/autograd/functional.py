"""jacobian, hessian, vjp and the like through plain backward passes."""


def _tuple(x):
    return x if isinstance(x, tuple) else (x,)


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    import torch

    with torch.enable_grad():
        ins = tuple(t.detach().requires_grad_() if not create_graph else t.view_as(t) for t in _tuple(inputs))
        out = func(*ins)
        grads = torch.autograd.grad(out, ins, v, create_graph=create_graph, allow_unused=True)
    return out, grads if isinstance(inputs, tuple) else grads[0]


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    import torch

    with torch.enable_grad():
        ins = tuple(t.detach().requires_grad_() for t in _tuple(inputs))
        outs = _tuple(func(*ins))
        rows = []
        for out in outs:
            parts = [[] for _ in ins]
            for j in range(out.numel()):
                grads = torch.autograd.grad(out.reshape(-1)[j], ins, retain_graph=True, create_graph=create_graph, allow_unused=True)
                for k, (g, t) in enumerate(zip(grads, ins)):
                    parts[k].append(g if g is not None else torch.zeros_like(t))
            rows.append(tuple(torch.stack(p).view(out.size() + t.size()) for p, t in zip(parts, ins)))
    if isinstance(inputs, tuple):
        return rows[0] if len(outs) == 1 else tuple(rows)
    return rows[0][0] if len(outs) == 1 else tuple(r[0] for r in rows)


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    import torch

    def gradient(*ins):
        return torch.autograd.grad(func(*ins), ins, create_graph=True)

    single = not isinstance(inputs, tuple)
    return jacobian((lambda x: gradient(x)[0]) if single else gradient, inputs, create_graph=create_graph)
