"""torch.linalg: the common factorisations and norms."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from . import _C
from ._arguments import dims_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import torch
    from torch import Tensor


ops = _C.ops


class LinAlgError(RuntimeError):
    """A matrix that a decomposition cannot take."""


LinAlgError.__module__ = "torch._C"


def norm(
    A: Tensor,
    ord: int | float | str | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: bool | None = False,
    *,
    out: Tensor | None = None,
    dtype: torch.dtype | None = None,
) -> Tensor:
    dims = dims_of(dim)
    if isinstance(ord, str):
        return ops.linalg_norm_ord_str(A, ord, dims, keepdim, dtype)
    return ops.linalg_norm(A, ord, dims, keepdim, dtype)


def vector_norm(
    x: Tensor,
    ord: float | int = 2,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    return ops.linalg_vector_norm(x, ord, dims_of(dim), keepdim, dtype)


def matrix_norm(
    A: Tensor,
    ord: float | str = "fro",
    dim: int | Sequence[int] = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    if isinstance(ord, str):
        return ops.linalg_matrix_norm_str_ord(A, ord, dim, keepdim, dtype)
    return ops.linalg_matrix_norm(A, ord, dim, keepdim, dtype)


def multi_dot(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    return ops.linalg_multi_dot(list(tensors))


def matmul(a: Any, b: Any, *, out: Tensor | None = None) -> Tensor:
    return ops.matmul(a, b)


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    return (x * y).sum(dim)


def vander(x: Any, *, N: int | None = None) -> Tensor:
    """Powers of a vector's elements, from zero on (BatchLinearAlgebra.cpp: linalg_vander)."""
    rows = x.unsqueeze(-1) if x.dim() == 0 else x
    n = rows.shape[-1] if N is None else N
    if n <= 1:
        raise RuntimeError("N must be greater than 1.")
    powers = ops.cumprod(rows.unsqueeze(-1).expand(*rows.shape, n - 1), -1)
    return ops.cat([powers.new_ones((*rows.shape, 1)), powers], -1)


def diagonal(A: Any, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    return ops.diagonal(A, offset, dim1, dim2)


def _without_none(function):
    """Takes `out=None`, too, as what wraps a function hands it on."""

    @functools.wraps(function)
    def takes_none(*args, **kwargs):
        if "out" in kwargs and kwargs["out"] is None:
            del kwargs["out"]
        return function(*args, **kwargs)

    return takes_none


def __getattr__(name: str) -> Any:
    for candidate in ("linalg_" + name, name):
        if hasattr(type(ops), candidate):
            return _without_none(getattr(ops, candidate))
    raise AttributeError(f"vramscope has no row for torch.linalg.{name}")
