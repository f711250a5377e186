"""Which memory format the strides of a tensor have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def channels_lie_last(t: Tensor, dims: int) -> bool:
    """Whether elements lie without gaps, channels innermost (c10/core/MemoryFormat.h is_channels_last_strides); numel 0 too."""
    if t.dim() != dims:
        return False
    size, stride, expected = t.shape, t.stride(), 1
    for i in (1, *range(dims - 1, 1, -1), 0):
        if size[i] != 1:
            if stride[i] != expected:
                return False
            expected *= size[i]
    return True
