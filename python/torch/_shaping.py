"""Splits, which read what they are given before an operator runs, as in PyTorch (torch/_tensor.py)."""

from . import _C

ops = _C.ops


def split(tensor, split_size_or_sections=None, dim=0, *, split_size=None):
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
