"""torchvision.utils: images side by side. Grids are made as tensors; files get a header only."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


__getattr__ = lacks("torchvision.utils")


@torch.no_grad()
def make_grid(
    tensor: Tensor | list[Tensor],
    nrow: int = 8,
    padding: int = 2,
    normalize: bool = False,
    value_range: tuple[int, int] | None = None,
    scale_each: bool = False,
    pad_value: float = 0.0,
    **_: Any,
) -> Tensor:
    """One image [channels, height, width] of many."""
    if isinstance(tensor, list):
        tensor = torch.stack(tensor, dim=0)
    if tensor.dim() == 2:
        tensor = tensor.unsqueeze(0)
    if tensor.dim() == 3:
        if tensor.size(0) == 1:
            tensor = torch.cat((tensor, tensor, tensor), 0)
        tensor = tensor.unsqueeze(0)
    if tensor.dim() == 4 and tensor.size(1) == 1:
        tensor = torch.cat((tensor, tensor, tensor), 1)
    if normalize:
        tensor = tensor.clone()
        for part in tensor if scale_each else (tensor,):
            low, high = value_range if value_range is not None else (float(part.min()), float(part.max()))
            part.clamp_(min=low, max=high)
            part.sub_(low).div_(max(high - low, 1e-5))
    if tensor.size(0) == 1:
        return tensor.squeeze(0)
    nmaps = tensor.size(0)
    xmaps = min(nrow, nmaps)
    ymaps = int(math.ceil(float(nmaps) / xmaps))
    height, width = int(tensor.size(2) + padding), int(tensor.size(3) + padding)
    grid = tensor.new_full((tensor.size(1), height * ymaps + padding, width * xmaps + padding), pad_value)
    k = 0
    for y in range(ymaps):
        for x in range(xmaps):
            if k >= nmaps:
                break
            grid.narrow(1, y * height + padding, height - padding).narrow(
                2, x * width + padding, width - padding
            ).copy_(tensor[k])
            k = k + 1
    return grid


@torch.no_grad()
def save_image(tensor: Tensor | list[Tensor], fp: Any, format: str | None = None, **kwargs: Any) -> None:
    """The grid is made and moved to the host as in torchvision; what is written has no content."""
    grid = make_grid(tensor, **kwargs)
    grid.mul(255).add_(0.5).clamp_(0, 255).permute(1, 2, 0).to("cpu", torch.uint8)
    from vramscope_data import pictures

    note("drawing_skipped", "library", "torchvision.utils.save_image")
    pictures.write(fp, *grid.shape[-2:])


def draw_bounding_boxes(image: Tensor, boxes: Tensor, *_: Any, **__: Any) -> Tensor:
    return image.clone()


def draw_segmentation_masks(image: Tensor, masks: Tensor, *_: Any, **__: Any) -> Tensor:
    return image.clone()


def draw_keypoints(image: Tensor, keypoints: Tensor, *_: Any, **__: Any) -> Tensor:
    return image.clone()


def flow_to_image(flow: Tensor) -> Tensor:
    return torch.zeros((*flow.shape[:-3], 3, *flow.shape[-2:]), dtype=torch.uint8, device=flow.device)


def _log_api_usage_once(obj):
    """Nothing is counted."""
