"""torchvision.transforms.v2: the same transforms, on images with targets beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

from .. import *  # noqa: F403
from .. import Compose as _Compose
from .. import InterpolationMode as InterpolationMode
from ..._image import Image as _Image
from . import functional as functional

if TYPE_CHECKING:
    from typing import Any


__getattr__ = lacks("torchvision.transforms.v2")


class Transform(torch.nn.Module):
    """The base of transforms: `transform` is called for each image or tensor."""

    def transform(self, inpt: Any, params: dict[str, Any]) -> Any:
        return inpt

    def make_params(self, flat_inputs: list) -> dict[str, Any]:
        return {}

    def forward(self, *inputs: Any) -> Any:
        found = tuple(self.transform(x, {}) if isinstance(x, (torch.Tensor, _Image)) else x for x in inputs)
        return found[0] if len(found) == 1 else found


class Compose(_Compose):
    """One after another; more than one input goes through as a tuple."""

    def __call__(self, *inputs: Any) -> Any:
        image, *rest = inputs
        image = super().__call__(image)
        return (image, *rest) if rest else image


class ToImage(Transform):
    """uint8 [channels, height, width] of an image."""

    def transform(self, inpt: Any, params: dict[str, Any]) -> Any:
        return functional.to_image(inpt)


ToImageTensor = ToImage


class ToDtype(Transform):
    def __init__(self, dtype: torch.dtype | dict[type | str, torch.dtype | None], scale: bool = False) -> None:
        super().__init__()
        self.dtype = dtype

    def transform(self, inpt: Any, params: dict[str, Any]) -> Any:
        kind = self.dtype.get(torch.Tensor) if isinstance(self.dtype, dict) else self.dtype
        return inpt.to(kind) if isinstance(inpt, torch.Tensor) else inpt


class ToPureTensor(Transform):
    """Tensors as they are."""


class Identity(Transform):
    """Nothing."""


class _Mixed(torch.nn.Module):
    """Images of a batch mixed: [batch, ...] and one-hot labels [batch, num_classes]."""

    def __init__(self, *, alpha: float = 1.0, num_classes: Any = None, labels_getter: str = "default") -> None:
        super().__init__()
        self.num_classes = num_classes

    def forward(self, images: Any, labels: Any) -> tuple:
        labels = torch.nn.functional.one_hot(labels, self.num_classes).to(torch.float32)
        return images.roll(1, 0).mul_(0.5).add_(images.mul(0.5)), labels.roll(1, 0).mul_(0.5).add_(labels.mul(0.5))


class MixUp(_Mixed):
    """Sums of two images."""


class CutMix(_Mixed):
    """A part of one image in another."""
