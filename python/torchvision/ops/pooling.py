"""Pooling of regions: one result for each box. Memory of the results; kernels take no more (unverified)."""

import torch
from torch import nn
from torch._stand_ins import note


class _Regions(torch.autograd.Function):
    """Each region's result; boxes and geometry are kept for backward."""

    @staticmethod
    def forward(ctx, input, boxes, size, channels):
        ctx.save_for_backward(boxes)
        ctx.shape = input.shape
        return input.new_empty((boxes.shape[0], channels, *size))

    @staticmethod
    def backward(ctx, grad):
        (boxes,) = ctx.saved_tensors
        return grad.new_zeros(ctx.shape), None, None, None


def _boxes(boxes):
    """One tensor `(n, 5)`: the image's number before each box."""
    if isinstance(boxes, torch.Tensor):
        return boxes
    joined = torch.cat(list(boxes), dim=0)
    ids = torch.cat([torch.full_like(b[:, :1], i) for i, b in enumerate(boxes)], dim=0)
    return torch.cat([ids, joined], dim=1)


def _pooled(name, position_sensitive):
    def pool(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=-1, aligned=False):
        note("unverified_op", "op", f"torchvision::{name}")
        size = (output_size, output_size) if isinstance(output_size, int) else tuple(output_size)
        channels = input.shape[1] // (size[0] * size[1]) if position_sensitive else input.shape[1]
        return _Regions.apply(input, _boxes(boxes), size, channels)

    pool.__name__ = pool.__qualname__ = name
    return pool


roi_align, roi_pool = _pooled("roi_align", False), _pooled("roi_pool", False)
ps_roi_align, ps_roi_pool = _pooled("ps_roi_align", True), _pooled("ps_roi_pool", True)


class _Layer(nn.Module):
    def __init__(self, output_size, spatial_scale, sampling_ratio=-1, aligned=False):
        super().__init__()
        self.output_size, self.spatial_scale, self.sampling_ratio, self.aligned = (
            output_size,
            spatial_scale,
            sampling_ratio,
            aligned,
        )

    def forward(self, input, rois):
        return type(self)._pool(input, rois, self.output_size, self.spatial_scale)


class RoIAlign(_Layer):
    _pool = staticmethod(roi_align)


class RoIPool(_Layer):
    _pool = staticmethod(roi_pool)


class PSRoIAlign(_Layer):
    _pool = staticmethod(ps_roi_align)


class PSRoIPool(_Layer):
    _pool = staticmethod(ps_roi_pool)
