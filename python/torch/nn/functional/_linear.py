"""Products of groups of rows, and windows as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import _C
from torch.nn._tuples import _pair

if TYPE_CHECKING:
    import torch
    from torch import Tensor


def grouped_mm(
    mat_a: Tensor,
    mat_b: Tensor,
    *,
    offs: Tensor | None = None,
    bias: Tensor | None = None,
    out_dtype: torch.dtype | None = None,
) -> Tensor:
    """Rows of `mat_a` by groups, each group with its own matrix of `mat_b`; `offs` says where each group ends."""
    return _C.ops._grouped_mm(mat_a, mat_b, offs, bias, out_dtype)


def unfold(
    input: Tensor,
    kernel_size: int | list[int] | tuple[int, ...],
    dilation: int | list[int] | tuple[int, ...] = 1,
    padding: int | list[int] | tuple[int, ...] = 0,
    stride: int | list[int] | tuple[int, ...] = 1,
) -> Tensor:
    return _C.ops.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


def fold(
    input: Tensor,
    output_size: int | list[int] | tuple[int, ...],
    kernel_size: int | list[int] | tuple[int, ...],
    dilation: int | list[int] | tuple[int, ...] = 1,
    padding: int | list[int] | tuple[int, ...] = 0,
    stride: int | list[int] | tuple[int, ...] = 1,
) -> Tensor:
    sizes = _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride)
    return _C.ops.col2im(input, *sizes)


__all__ = [name for name in dir() if not name.startswith("_")]
