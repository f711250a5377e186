"""Pooling of regions: one result for each box."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from torchvision import _compiled

if TYPE_CHECKING:
    from typing import Any


def _boxes(boxes):
    """One tensor `(n, 5)`: the image's number before each box."""
    if isinstance(boxes, torch.Tensor):
        return boxes
    joined = torch.cat(list(boxes), dim=0)
    ids = torch.cat([torch.full_like(b[:, :1], i) for i, b in enumerate(boxes)], dim=0)
    return torch.cat([ids, joined], dim=1)


def _pooled(compiled):
    def pool(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=-1, aligned=False):
        size = (output_size, output_size) if isinstance(output_size, int) else tuple(output_size)
        out = compiled(input, _boxes(boxes), spatial_scale, *size)
        return out[0] if isinstance(out, tuple) else out

    pool.__name__ = pool.__qualname__ = compiled.__name__
    return pool


roi_align, roi_pool = _pooled(_compiled.roi_align), _pooled(_compiled.roi_pool)
ps_roi_align, ps_roi_pool = _pooled(_compiled.ps_roi_align), _pooled(_compiled.ps_roi_pool)


class _Layer(nn.Module):
    def __init__(self, output_size: Any, spatial_scale: Any, sampling_ratio: int = -1, aligned: bool = False) -> None:
        super().__init__()
        self.output_size, self.spatial_scale, self.sampling_ratio, self.aligned = (
            output_size,
            spatial_scale,
            sampling_ratio,
            aligned,
        )

    def forward(self, input: Any, rois: Any) -> Any:
        return type(self)._pool(input, rois, self.output_size, self.spatial_scale)


class RoIAlign(_Layer):
    _pool = staticmethod(roi_align)


class RoIPool(_Layer):
    _pool = staticmethod(roi_pool)


class PSRoIAlign(_Layer):
    _pool = staticmethod(ps_roi_align)


class PSRoIPool(_Layer):
    _pool = staticmethod(ps_roi_pool)
