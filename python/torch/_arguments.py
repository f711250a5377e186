"""What functions with several forms share: how they read sizes, dims, dtype, device, `out` and a generator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C, _defaults
from ._generated import drawing
from ._gpus import engine_name
from ._tensor import Tensor
from ._types import device as _device_type, dtype as _dtype_type

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import torch


def out_form(out: Tensor | None, function: Callable, *args: Any) -> Tensor:
    return _C.out_call(out, function, *args) if out is not None else function(*args)


def dims_of(dim: int | None) -> tuple[int] | None:
    return None if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)


def sizes_of(sizes: tuple) -> Any:
    return sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], (int, Tensor)) else sizes


def place_of(
    dtype: torch.dtype | None, device: torch.device | str | int | None, pin_memory: bool = False, fallback: Any = None
) -> tuple:
    """dtype and device names for a factory op, defaults filled in."""
    if dtype is None:
        dtype = fallback if fallback is not None else _defaults.dtype
    elif not isinstance(dtype, _dtype_type):
        dtype = _C.dtype_of_type(dtype, "empty")
    if device is None:
        device = _defaults.device
    if device is None:
        return dtype, "cpu"
    if not isinstance(device, _device_type):
        device = _device_type(device)
    return dtype, engine_name(device)


def made(t: Tensor, requires_grad: bool) -> Tensor:
    if requires_grad:
        if not (t.is_floating_point() or t.is_complex()):
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        t.requires_grad = True
    return t
