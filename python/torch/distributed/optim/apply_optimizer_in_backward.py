"""Optimizers that step as soon as their parameter's gradient is there, which then goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import torch

_nodes = {}  # id of a parameter -> the node that accumulates its gradient: without it the hook would go with the graph
_handles = {}  # id of a parameter -> its hooks


def _apply_optimizer_in_backward(
    optimizer_class: type[torch.optim.Optimizer],
    params: Iterable[torch.nn.Parameter],
    optimizer_kwargs: dict[str, Any],
    register_hook: bool = True,
) -> None:
    for param in params:
        if id(param) not in _nodes:
            _nodes[id(param)] = param.view_as(param).grad_fn.next_functions[0][0]
        lists = param.__dict__.setdefault
        lists("_in_backward_optimizers", []).append(optimizer_class([param], **optimizer_kwargs))
        lists("_optimizer_classes", []).append(optimizer_class)
        lists("_optimizer_kwargs", []).append(optimizer_kwargs)
        if register_hook:
            handle = _nodes[id(param)].register_hook(_stepping(param))
            _handles.setdefault(id(param), []).append(handle)


def remove_hooks(params: Iterable[torch.nn.Parameter]) -> None:
    """Ends the stepping at gradients: DDP steps when a bucket is reduced."""
    for param in params:
        for handle in _handles.pop(id(param), ()):
            handle.remove()


def _stepping(param):
    def step(*_):
        for optimizer in param._in_backward_optimizers:
            optimizer.step()
        param.grad = None

    return step


def _get_in_backward_optimizers(module: torch.nn.Module) -> list[torch.optim.Optimizer]:
    return [o for p in module.parameters() for o in getattr(p, "_in_backward_optimizers", [])]
