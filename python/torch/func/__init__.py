"""torch.func: function transforms over torch.autograd, and modules called with other parameters."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import torch

from ..nn.utils.stateless import functional_call as _call_with
from ._index_maps import vmap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from torch import Tensor
    from torch.nn.modules.container import ModuleList


__all__ = ["functional_call", "grad", "grad_and_value", "jacrev", "stack_module_state", "vjp", "vmap"]


def functional_call(
    module: torch.nn.Module,
    parameter_and_buffer_dicts: dict[str, Tensor] | Sequence[dict[str, Tensor]],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Calls the module with these tensors in place of its own; several dictionaries count as one."""
    values = parameter_and_buffer_dicts
    if not isinstance(values, dict):
        joined = {}
        for part in values:
            twice = joined.keys() & part.keys()
            if twice:
                raise ValueError(
                    f"{sorted(twice)[0]} appears in multiple dictionaries; behavior of functional call is ambiguous"
                )
            joined.update(part)
        values = joined
    return _call_with(module, values, () if args is None else args, kwargs, tie_weights=tie_weights, strict=strict)


def _leaves(x):
    """The tensors of nested lists, tuples and dictionaries, in order."""
    if isinstance(x, torch.Tensor):
        return [x]
    if isinstance(x, dict):
        return [t for v in x.values() for t in _leaves(v)]
    if isinstance(x, (list, tuple)):
        return [t for v in x for t in _leaves(v)]
    return []


def _replace(x, found):
    """The same structure with its tensors taken from an iterator."""
    if isinstance(x, torch.Tensor):
        return next(found)
    if isinstance(x, dict):
        return {k: _replace(v, found) for k, v in x.items()}
    if isinstance(x, (list, tuple)):
        return type(x)(_replace(v, found) for v in x)
    return x


def _as_inputs(x):
    """The structure with every tensor as a new leaf of the graph."""
    return _replace(x, iter([t.detach().requires_grad_() for t in _leaves(x)]))


def grad_and_value(func: Callable, argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Callable:
    """A function that returns the gradients with respect to the chosen arguments, and the value."""
    chosen = (argnums,) if isinstance(argnums, int) else tuple(argnums)

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        with torch.enable_grad():
            args = [_as_inputs(a) if i in chosen else a for i, a in enumerate(args)]
            result = func(*args, **kwargs)
            output, aux = result if has_aux else (result, None)
            inputs = [t for i in chosen for t in _leaves(args[i])]
            grads = iter(torch.autograd.grad(output, inputs, materialize_grads=True))
        found = tuple(_replace(args[i], grads) for i in chosen)
        if isinstance(argnums, int):
            found = found[0]
        value = output.detach()
        return (found, (value, aux)) if has_aux else (found, value)

    return wrapper


def grad(
    func: Callable, argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable | tuple[Tensor, ...] | dict[str, Tensor]:
    """A function that returns the gradients with respect to the chosen arguments."""
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return wrapper


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The output, and a function from its gradient to the gradients of the inputs."""
    with torch.enable_grad():
        inputs = [_as_inputs(p) for p in primals]
        result = func(*inputs)
    output, aux = result if has_aux else (result, None)

    def pull_back(*cotangents, retain_graph=True):
        grads = iter(
            torch.autograd.grad(
                _leaves(output),
                _leaves(inputs),
                _leaves(list(cotangents)),
                retain_graph=retain_graph,
                materialize_grads=True,
            )
        )
        found = tuple(_replace(x, grads) for x in inputs)
        return found

    plain = _replace(output, iter([t.detach() for t in _leaves(output)]))
    return (plain, pull_back, aux) if has_aux else (plain, pull_back)


def jacrev(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, **options: Any) -> Callable[..., Any]:
    """The Jacobian, one backward per output element."""
    from ..autograd.functional import jacobian

    def wrapper(*args):
        fixed = lambda x: func(*args[:argnums], x, *args[argnums + 1 :])
        return jacobian(fixed, args[argnums])

    return wrapper


def stack_module_state(models: Sequence[torch.nn.Module] | ModuleList) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parameters and buffers of equal modules, stacked along a new first dimension."""
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")

    def stacked(states, leaf):
        result = {}
        for name in states[0]:
            joined = torch.stack([s[name] for s in states]).detach()
            result[name] = joined.requires_grad_() if leaf and states[0][name].requires_grad else joined
        return result

    parameters = stacked([dict(m.named_parameters()) for m in models], True)
    buffers = stacked([dict(m.named_buffers()) for m in models], False)
    return parameters, buffers


def _not_simulated(name):
    def f(*_, **__):
        raise torch._C.UnsupportedOp(
            f"vramscope does not simulate torch.func.{name}: it needs every operator's batched or forward-mode form"
        )

    f.__name__ = f.__qualname__ = name
    return f


jvp, jacfwd, linearize, functionalize = map(_not_simulated, ("jvp", "jacfwd", "linearize", "functionalize"))


def hessian(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0) -> Callable[..., Any]:
    """The Hessian, one backward per element of the gradient."""
    from ..autograd.functional import hessian as of

    return lambda *args: of(lambda x: func(*args[:argnums], x, *args[argnums + 1 :]), args[argnums])
