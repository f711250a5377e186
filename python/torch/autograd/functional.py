"""jacobian, hessian, vjp and the like through plain backward passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _tuple(x):
    return x if isinstance(x, tuple) else tuple(x) if isinstance(x, list) else (x,)


def _prepare(inputs, create_graph):
    """Inputs that the derivative is taken of: fresh leaves, or views where the caller's graph goes on."""
    return tuple(
        t.view_as(t) if create_graph and t.requires_grad else t.detach().requires_grad_() for t in _tuple(inputs)
    )


def _finish(results, create_graph, single):
    results = tuple(t if create_graph or t is None else t.detach() for t in results)
    return results[0] if single else results


def _grad(outputs, inputs, grads=None, create_graph=False, retain_graph=None):
    """None where an output does not depend on an input."""
    import torch

    grads = (None,) * len(outputs) if grads is None else grads
    used = [(o, g) for o, g in zip(outputs, grads) if o is not None and o.requires_grad]
    if not used:
        return (None,) * len(inputs)
    outs, gs = zip(*used)
    return torch.autograd.grad(
        outs, inputs, gs, allow_unused=True, create_graph=create_graph, retain_graph=retain_graph
    )


def _filled(grads, like, create_graph=False):
    import torch

    return tuple(torch.zeros_like(t) if g is None else g for g, t in zip(grads, like))


def _vector(v, like):
    import torch

    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise RuntimeError(
                "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
            )
        return (torch.ones_like(like[0]),)
    return tuple(t.detach() for t in _tuple(v))


def vjp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    import torch

    with torch.enable_grad():
        ins = _prepare(inputs, create_graph)
        outs = func(*ins)
        single = isinstance(outs, torch.Tensor)
        outs = _tuple(outs)
        v = _vector(v, outs) if v is not None or len(outs) != 1 or outs[0].numel() != 1 else None
    with torch.set_grad_enabled(True if create_graph else torch.is_grad_enabled()):
        grads = _filled(_grad(outs, ins, v, create_graph), ins)
    return _finish(outs, create_graph, single), _finish(grads, create_graph, not isinstance(inputs, tuple))


def jvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The vjp's own vjp: forward mode through two backward passes."""
    import torch

    with torch.enable_grad():
        ins = _prepare(inputs, create_graph)
        v = _vector(v, ins)
        outs = func(*ins)
        single = isinstance(outs, torch.Tensor)
        outs = _tuple(outs)
        carriers = tuple(torch.zeros_like(o, requires_grad=True) for o in outs)
        back = _grad(outs, ins, carriers, create_graph=True)
    with torch.set_grad_enabled(True if create_graph else torch.is_grad_enabled()):
        result = _filled(_grad(back, carriers, v, create_graph), outs)
    return _finish(outs, create_graph, single), _finish(result, create_graph, single)


def vhp(func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple:
    import torch

    with torch.enable_grad():
        ins = _prepare(inputs, create_graph)
        v = _vector(v, ins)
        outs = _tuple(func(*ins))
        back = _filled(_grad(outs, ins, create_graph=True), ins)
    with torch.set_grad_enabled(True if create_graph else torch.is_grad_enabled()):
        result = _filled(_grad(back, ins, v, create_graph), ins)
    return _finish(outs, create_graph, True), _finish(result, create_graph, not isinstance(inputs, tuple))


def hvp(func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple:
    import torch

    with torch.enable_grad():
        ins = _prepare(inputs, create_graph)
        v = _vector(v, ins)
        outs = _tuple(func(*ins))
        back = _filled(_grad(outs, ins, create_graph=True), ins)
        carriers = tuple(torch.zeros_like(t, requires_grad=True) for t in ins)
        twice = _grad(back, ins, carriers, create_graph=True)
    with torch.set_grad_enabled(True if create_graph else torch.is_grad_enabled()):
        result = _filled(_grad(twice, carriers, v, create_graph), ins)
    return _finish(outs, create_graph, True), _finish(result, create_graph, not isinstance(inputs, tuple))


def jacobian(
    func: Callable,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    import torch

    with torch.enable_grad():
        ins = _prepare(inputs, create_graph)
        outs = func(*ins)
        single = isinstance(outs, torch.Tensor)
        outs = _tuple(outs)
        rows = []
        for out in outs:
            parts = [[] for _ in ins]
            for j in range(out.numel()):
                grads = _grad((out.reshape(-1)[j],), ins, create_graph=create_graph, retain_graph=True)
                for k, (g, t) in enumerate(zip(grads, ins)):
                    parts[k].append(g if g is not None else torch.zeros_like(t))
            rows.append(tuple(torch.stack(p).view(out.size() + t.size()) for p, t in zip(parts, ins)))
    rows = [_finish(row, create_graph, not isinstance(inputs, tuple)) for row in rows]
    return rows[0] if single else tuple(rows)


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Callable[..., Any]:
    single = not isinstance(inputs, tuple)

    def gradient(*ins):
        grads = jacobian(func, ins, create_graph=True)
        return grads[0] if single else grads

    return jacobian(gradient, inputs, create_graph=create_graph)
