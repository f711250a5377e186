"""What functions with several forms share: how they read sizes, dims, dtype, device and `out`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C, _defaults
from ._factories import place
from ._tensor import Tensor
from ._types import dtype as _dtype_type

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


def place_of(dtype: torch.dtype | None, device: torch.device | str | int | None) -> tuple:
    """A dtype and the name of a device, defaults filled in."""
    if dtype is None:
        dtype = _defaults.dtype
    elif not isinstance(dtype, _dtype_type):
        dtype = _C.dtype_of_type(dtype, "empty")
    return dtype, place(device)
