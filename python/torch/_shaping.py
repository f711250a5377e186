"""Splits, which read what they are given before an operator runs, as in PyTorch (torch/_tensor.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C

if TYPE_CHECKING:
    from torch import Tensor


ops = _C.ops


def split(
    tensor: Tensor,
    split_size_or_sections: int | list[int] | None = None,
    dim: int = 0,
    *,
    split_size: int | None = None,
) -> tuple[Tensor, ...] | Tensor:
    if split_size_or_sections is None:
        split_size_or_sections = split_size  # as the method calls it
    if isinstance(split_size_or_sections, int):
        size = tensor.size(dim)
        if split_size_or_sections < 0:
            raise RuntimeError(f"split expects split_size be non-negative, but got split_size={split_size_or_sections}")
        if split_size_or_sections == 0 and size != 0:
            raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {size}")
        return ops.split_Tensor(tensor, split_size_or_sections, dim)
    return ops.split_with_sizes(tensor, split_size_or_sections, dim)


METHODS = ("split",)
