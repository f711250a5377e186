"""torch.ops.torchvision: what torchvision's compiled library computes. Memory of results and saved tensors as csrc/ops makes them; kernels unverified."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._ops import ops
from torch._stand_ins import note

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def nms(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """Positions of boxes that stay, int64; how many depends on values, so all do."""
    note("data_dependent_size", "op", "torchvision::nms")
    return torch.arange(boxes.size(0), device=boxes.device)


class _Regions(torch.autograd.Function):
    """Each region's result; boxes, and which element each result came from, are kept for backward."""

    @staticmethod
    def forward(ctx: Any, input: Any, boxes: Any, size: Any, channels: Any, has_origins: Any) -> Any:
        shape = (boxes.shape[0], channels, *size)
        out = input.new_zeros(shape)
        origins = input.new_zeros(shape, dtype=torch.int32) if has_origins else None
        ctx.save_for_backward(*([boxes, origins] if has_origins else [boxes]))
        ctx.shape = input.shape
        if not has_origins:
            return out
        ctx.mark_non_differentiable(origins)
        return out, origins

    @staticmethod
    def backward(ctx: Any, grad: Any, *_: Any) -> tuple:
        ctx.saved_tensors  # noqa: B018 a released graph is an error
        return grad.new_zeros(ctx.shape), None, None, None, None


def _pooled(name, position_sensitive, has_origins):
    def pool(input, rois, spatial_scale, pooled_height, pooled_width, *_):
        note("unverified_op", "op", f"torchvision::{name}")
        size = (pooled_height, pooled_width)
        channels = input.shape[1] // (size[0] * size[1]) if position_sensitive else input.shape[1]
        if not torch.is_autocast_enabled(input.device.type):
            return _Regions.apply(input, rois, size, channels, has_origins)
        # csrc/ops/autocast: it runs in float32, and its result has the input's type
        with torch.autocast(input.device.type, enabled=False):
            out = _Regions.apply(input.float(), rois.float(), size, channels, has_origins)
            return (out[0].to(input.dtype), out[1]) if has_origins else out.to(input.dtype)

    pool.__name__ = pool.__qualname__ = name
    ops._add("torchvision", name, pool)
    return pool


roi_align, roi_pool = _pooled("roi_align", False, False), _pooled("roi_pool", False, True)
ps_roi_align, ps_roi_pool = _pooled("ps_roi_align", True, True), _pooled("ps_roi_pool", True, True)
ops._add("torchvision", "nms", nms)
ops._add("torchvision", "_cuda_version", lambda: -1)
