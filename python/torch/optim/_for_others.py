"""The private helpers of torch.optim.optimizer by which optimizers of other packages, often copies of PyTorch's, are written."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING

import torch
from torch.utils._foreach import may_use_foreach

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


DeviceDict = DeviceDtypeDict = dict
_foreach_doc = _fused_doc = _capturable_doc = _differentiable_doc = _maximize_doc = _params_doc = ""


def _use_grad_for_differentiable(func: Callable) -> Callable:
    """A step whose graph is kept only where its optimizer says `differentiable`."""

    @functools.wraps(func)
    def step(self, *args, **kwargs):
        with torch.set_grad_enabled(self.defaults["differentiable"]):
            return func(self, *args, **kwargs)

    return step


def _get_value(x: Any) -> Any:
    return x.item() if isinstance(x, torch.Tensor) else x


def _stack_if_compiling(x: Any) -> Any:
    return x


def _dispatch_sqrt(x: float | Tensor) -> float | Tensor:
    return x.sqrt() if isinstance(x, torch.Tensor) else math.sqrt(x)


def _to_scalar(x: float | Tensor) -> float | Tensor:
    return x.squeeze() if isinstance(x, torch.Tensor) and x.dim() != 0 else x


def _get_scalar_dtype(is_fused: bool | None = None) -> torch.dtype:
    """The dtype of an optimizer's step counter."""
    return torch.float64 if torch.get_default_dtype() == torch.float64 and not is_fused else torch.float32


def _view_as_real(params: list[Tensor], *state_and_grads: list[Tensor]) -> None:
    for i, param in enumerate(params):
        if torch.is_complex(param):
            params[i] = torch.view_as_real(param)
            for tensors in state_and_grads:
                tensors[i] = torch.view_as_real(tensors[i])


def _default_to_fused_or_foreach(
    params: list[Tensor], differentiable: bool, use_fused: bool = False
) -> tuple[bool, bool]:
    """(fused, foreach) where the program said neither."""
    if differentiable:
        return False, False
    plain = may_use_foreach(params)
    fused = use_fused and plain and all(p is None or torch.is_floating_point(p) for p in params)
    return fused, not fused and plain


def _disable_dynamo_if_unsupported(single_tensor_fn: Callable | None = None) -> Callable:
    return lambda func: func
