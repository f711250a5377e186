"""Pooling, where it is Python in PyTorch, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import _C
from torch.nn._tuples import _list_with_default, _pair, _single, _triple

from ._rows import avg_pool1d, avg_pool2d, avg_pool3d

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor


_TUPLE = {1: _single, 2: _pair, 3: _triple}


def _max_pool(n):
    def with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=True):
        return getattr(_C.ops, f"max_pool{n}d_with_indices")(input, kernel_size, stride, padding, dilation, ceil_mode)

    def plain(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
        if return_indices:
            return with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
        return getattr(_C.ops, f"max_pool{n}d")(input, kernel_size, stride, padding, dilation, ceil_mode)

    plain.__name__ = plain.__qualname__ = f"max_pool{n}d"
    with_indices.__name__ = with_indices.__qualname__ = f"max_pool{n}d_with_indices"
    return plain, with_indices


max_pool1d, max_pool1d_with_indices = _max_pool(1)
max_pool2d, max_pool2d_with_indices = _max_pool(2)
max_pool3d, max_pool3d_with_indices = _max_pool(3)


def adaptive_avg_pool2d(
    input: Tensor, output_size: int | tuple[int | None, int | None] | Sequence[int] | None
) -> Tensor:
    return _C.ops.adaptive_avg_pool2d(input, _list_with_default(_pair(output_size), input.size()))


def adaptive_avg_pool3d(input: Tensor, output_size: int | tuple[int | None, ...] | Sequence[int] | None) -> Tensor:
    return _C.ops.adaptive_avg_pool3d(input, _list_with_default(_triple(output_size), input.size()))


def _adaptive_max_pool(n):
    def with_indices(input, output_size, return_indices=True):
        size = _TUPLE[n](output_size)
        if n > 1:
            size = _list_with_default(size, input.size())
        return getattr(_C.ops, f"adaptive_max_pool{n}d")(input, size)

    def plain(input, output_size, return_indices=False):
        found = with_indices(input, output_size)
        return found if return_indices else found[0]

    plain.__name__ = plain.__qualname__ = f"adaptive_max_pool{n}d"
    return plain, with_indices


adaptive_max_pool1d, adaptive_max_pool1d_with_indices = _adaptive_max_pool(1)
adaptive_max_pool2d, adaptive_max_pool2d_with_indices = _adaptive_max_pool(2)
adaptive_max_pool3d, adaptive_max_pool3d_with_indices = _adaptive_max_pool(3)


def _fractional(n):
    def with_indices(
        input, kernel_size, output_size=None, output_ratio=None, return_indices=True, _random_samples=None
    ):
        t = _TUPLE[n]
        if output_size is None:
            if output_ratio is None:
                raise ValueError(
                    f"fractional_max_pool{n}d requires specifying either an output_size or an output_ratio"
                )
            output_size = [int(size * ratio) for size, ratio in zip(input.shape[-n:], t(output_ratio))]
        if _random_samples is None:
            batch = 1 if input.dim() == n + 1 else input.size(0)
            _random_samples = torch.rand(batch, input.size(-n - 1), n, dtype=input.dtype, device=input.device)
        return getattr(_C.ops, f"fractional_max_pool{n}d")(input, t(kernel_size), t(output_size), _random_samples)

    def plain(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        found = with_indices(input, kernel_size, output_size, output_ratio, True, _random_samples)
        return found if return_indices else found[0]

    plain.__name__ = plain.__qualname__ = f"fractional_max_pool{n}d"
    return plain, with_indices


fractional_max_pool2d, fractional_max_pool2d_with_indices = _fractional(2)
fractional_max_pool3d, fractional_max_pool3d_with_indices = _fractional(3)


def _unpooled_size(input, kernel, stride, padding, output_size):
    n = len(kernel)
    default = [(input.size(d - n) - 1) * stride[d] + kernel[d] - 2 * padding[d] for d in range(n)]
    if output_size is None:
        return default
    if len(output_size) == n + 2:
        output_size = output_size[2:]
    if len(output_size) != n:
        raise ValueError(
            f"output_size should have {n} or {n + 2} elements, but it has a length of '{len(output_size)}'"
        )
    for d in range(n):
        if not default[d] - stride[d] < output_size[d] < default[d] + stride[d]:
            raise ValueError(f'invalid output_size "{output_size}" (dim {d})')
    return list(output_size)


def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    output_size: int | Sequence[int] | None = None,
) -> Tensor:
    kernel = _single(kernel_size)
    strides = kernel if stride is None else _single(stride)
    size = _unpooled_size(input, kernel, strides, _single(padding), output_size) + [1]
    return _C.ops.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), size).squeeze(-1)


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    output_size: int | Sequence[int] | None = None,
) -> Tensor:
    kernel = _pair(kernel_size)
    strides = kernel if stride is None else _pair(stride)
    return _C.ops.max_unpool2d(input, indices, _unpooled_size(input, kernel, strides, _pair(padding), output_size))


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    output_size: int | Sequence[int] | None = None,
) -> Tensor:
    kernel = _triple(kernel_size)
    strides, pads = kernel if stride is None else _triple(stride), _triple(padding)
    return _C.ops.max_unpool3d(input, indices, _unpooled_size(input, kernel, strides, pads, output_size), strides, pads)


def _lp_pool(n):
    average, maximum = ((avg_pool1d, max_pool1d), (avg_pool2d, max_pool2d), (avg_pool3d, max_pool3d))[n - 1]

    def function(input, norm_type, kernel_size, stride=None, ceil_mode=False):
        if norm_type == float("inf"):
            return maximum(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
        count = 1
        for k in _TUPLE[n](kernel_size):
            count *= k
        if stride is not None:
            out = average(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
        else:
            out = average(input.pow(norm_type), kernel_size, padding=0, ceil_mode=ceil_mode)
        return (torch.sign(out) * _C.ops.relu(torch.abs(out))).mul(count).pow(1.0 / norm_type)

    function.__name__ = function.__qualname__ = f"lp_pool{n}d"
    return function


lp_pool1d, lp_pool2d, lp_pool3d = _lp_pool(1), _lp_pool(2), _lp_pool(3)

__all__ = [name for name in dir() if not name.startswith("_") and name != "torch"]
