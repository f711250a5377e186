"""Linear maps, convolutions and distances."""

from torch import _C
from torch.nn._tuples import _pair, _single, _triple


def grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None):
    """Rows of `mat_a` by groups, each group with its own matrix of `mat_b`; `offs` says where each group ends."""
    return _C.ops._grouped_mm(mat_a, mat_b, offs, bias, out_dtype)


def _conv(plain, named, n, input, weight, bias, stride, padding, dilation, groups):
    """Padding may be the word "same" or "valid", which is an operator of its own."""
    if isinstance(padding, str):
        return named(input, weight, bias, n(stride), padding, n(dilation), groups)
    return plain(input, weight, bias, n(stride), n(padding), n(dilation), groups)


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    o = _C.ops
    return _conv(o.conv1d, o.conv1d_padding, _single, input, weight, bias, stride, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    o = _C.ops
    return _conv(o.conv2d, o.conv2d_padding, _pair, input, weight, bias, stride, padding, dilation, groups)


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    o = _C.ops
    return _conv(o.conv3d, o.conv3d_padding, _triple, input, weight, bias, stride, padding, dilation, groups)


def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    n = _single
    return _C.ops.conv_transpose1d(input, weight, bias, n(stride), n(padding), n(output_padding), groups, n(dilation))


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    n = _pair
    return _C.ops.conv_transpose2d(input, weight, bias, n(stride), n(padding), n(output_padding), groups, n(dilation))


def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    n = _triple
    return _C.ops.conv_transpose3d(input, weight, bias, n(stride), n(padding), n(output_padding), groups, n(dilation))


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    return _C.ops.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    sizes = _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride)
    return _C.ops.col2im(input, *sizes)


__all__ = [name for name in dir() if not name.startswith("_")]
