"""Products of groups of rows, and windows as columns."""

from torch import _C
from torch.nn._tuples import _pair


def grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None):
    """Rows of `mat_a` by groups, each group with its own matrix of `mat_b`; `offs` says where each group ends."""
    return _C.ops._grouped_mm(mat_a, mat_b, offs, bias, out_dtype)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    return _C.ops.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    sizes = _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride)
    return _C.ops.col2im(input, *sizes)


__all__ = [name for name in dir() if not name.startswith("_")]
