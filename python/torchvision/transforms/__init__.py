"""Transforms by what they do to sizes and dtypes; content is not computed. They take images of our data sets and tensors."""

from __future__ import annotations

import sys
from enum import Enum
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

from .._image import Image, picture, shape_of, with_size

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from torch import Tensor


_lacks = lacks("torchvision.transforms")
transforms = sys.modules[f"{__name__}.transforms"] = sys.modules[__name__]  # where torchvision keeps the classes


def __getattr__(name: str) -> Any:
    if name in ("functional", "v2"):
        import importlib

        return importlib.import_module(f"torchvision.transforms.{name}")
    return _lacks(name)


class InterpolationMode(Enum):
    NEAREST, NEAREST_EXACT, BILINEAR, BICUBIC, BOX, HAMMING, LANCZOS = (
        "nearest", "nearest-exact", "bilinear", "bicubic", "box", "hamming", "lanczos"
    )  # fmt: skip


class Compose:
    def __init__(self, transforms: Sequence[Callable]) -> None:
        self.transforms = transforms

    def __call__(self, image: Any) -> Any:
        for transform in self.transforms:
            image = transform(image)
        return image


class ToTensor:
    """float32 [channels, height, width]."""

    def __call__(self, image: Any) -> Any:
        if isinstance(image, Image):
            return torch.empty(image.channels, image.height, image.width)
        if hasattr(image, "_shape_chw"):
            return torch.empty(image._shape_chw())
        if hasattr(image, "to_torch"):
            shape = image.shape if image.ndim == 3 else (*image.shape, 1)
            return torch.empty(shape[2], shape[0], shape[1])
        raise TypeError(f"pic should be PIL Image or ndarray. Got {type(image)}")


class PILToTensor:
    def __call__(self, image: Any) -> Any:
        return torch.empty(shape_of(image), dtype=torch.uint8)


class ToPILImage:
    def __init__(self, mode: str | None = None) -> None:
        self.mode = mode

    def __call__(self, image: Any) -> Image:
        """An array has its channels last, a tensor first."""
        shape = tuple(image.shape)
        if isinstance(image, torch.Tensor) or len(shape) not in (2, 3):
            return picture(*shape_of(image))
        return picture(shape[2] if len(shape) == 3 else 1, *shape[:2])


class ConvertImageDtype:
    def __init__(self, dtype: torch.dtype) -> None:
        self.dtype = dtype

    def __call__(self, image: Any) -> Any:
        return image.to(self.dtype)


class _Same(torch.nn.Module):
    """Changes content only."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, image: Any) -> Any:
        return image


class Normalize(_Same):
    def forward(self, tensor: Tensor) -> Tensor:
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"img should be Tensor Image. Got {type(tensor)}")
        return tensor


class RandomHorizontalFlip(_Same):
    pass


class RandomVerticalFlip(_Same):
    pass


class ColorJitter(_Same):
    pass


class RandomAffine(_Same):
    pass


class RandomRotation(_Same):
    pass


class RandomErasing(_Same):
    pass


class GaussianBlur(_Same):
    pass


class AutoAugment(_Same):
    pass


class RandAugment(_Same):
    pass


class TrivialAugmentWide(_Same):
    pass


class AugMix(_Same):
    pass


class RandomPerspective(_Same):
    pass


class RandomInvert(_Same):
    pass


class RandomPosterize(_Same):
    pass


class RandomSolarize(_Same):
    pass


class RandomAdjustSharpness(_Same):
    pass


class RandomAutocontrast(_Same):
    pass


class RandomEqualize(_Same):
    pass


class ElasticTransform(_Same):
    pass


class LinearTransformation(_Same):
    pass


class RandomGrayscale(_Same):
    """Keeps the number of channels."""


class AutoAugmentPolicy(Enum):
    IMAGENET, CIFAR10, SVHN = "imagenet", "cifar10", "svhn"


class RandomApply(torch.nn.Module):
    """Some transforms or none: they are applied, as sizes may depend on them."""

    def __init__(self, transforms: Any, p: float = 0.5) -> None:
        super().__init__()
        self.transforms, self.p = transforms, p

    def forward(self, image: Any) -> Any:
        for transform in self.transforms:
            image = transform(image)
        return image


class RandomOrder(RandomApply):
    def __init__(self, transforms: Sequence[Callable]) -> None:
        super().__init__(transforms)


class RandomChoice(RandomApply):
    """One of several: the first."""

    def __init__(self, transforms: Sequence[Callable], p: list[float] | None = None) -> None:
        super().__init__(list(transforms)[:1])


def _pair(size):
    return (size, size) if isinstance(size, int) else (tuple(size) * 2)[:2]


class _Sized(torch.nn.Module):
    def __init__(self, size: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self.size = size

    def forward(self, image: Any) -> Any:
        return with_size(image, shape_of(image)[0], *_pair(self.size))


class CenterCrop(_Sized):
    pass


class RandomCrop(_Sized):
    @staticmethod
    def get_params(img: Tensor, output_size: tuple[int, int]) -> tuple[int, int, int, int]:
        """(top, left, height, width); the places are drawn as torchvision draws them."""
        _, h, w = shape_of(img)
        th, tw = output_size
        if h < th or w < tw:
            raise ValueError(f"Required crop size {(th, tw)} is larger than input image size {(h, w)}")
        if (w, h) == (tw, th):
            return 0, 0, h, w
        i = torch.randint(0, h - th + 1, size=(1,)).item()
        j = torch.randint(0, w - tw + 1, size=(1,)).item()
        return i, j, th, tw


class RandomResizedCrop(_Sized):
    pass


class Resize(_Sized):
    """One number is the shorter side."""

    def forward(self, image: Any) -> Any:
        channels, height, width = shape_of(image)
        if isinstance(self.size, int):
            scale = self.size / min(height, width)
            size = (self.size, int(width * scale)) if height <= width else (int(height * scale), self.size)
        else:
            size = _pair(self.size)
        return with_size(image, channels, *size)


class Pad(torch.nn.Module):
    def __init__(self, padding: int | Sequence[int], *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self.left, self.top, self.right, self.bottom = (
            (padding,) * 4 if isinstance(padding, int) else (tuple(padding) * 4)[:4]
        )

    def forward(self, image: Any) -> Any:
        channels, height, width = shape_of(image)
        return with_size(image, channels, height + self.top + self.bottom, width + self.left + self.right)


class Grayscale(torch.nn.Module):
    def __init__(self, num_output_channels: int = 1) -> None:
        super().__init__()
        self.channels = num_output_channels

    def forward(self, image: Any) -> Any:
        return with_size(image, self.channels, *shape_of(image)[1:])


class Lambda:
    def __init__(self, lambd: Callable[[Any], Any]) -> None:
        self.lambd = lambd

    def __call__(self, image: Any) -> Any:
        return self.lambd(image)


class FiveCrop(_Sized):
    """Five images of one size."""

    def forward(self, image: Any) -> tuple:
        return tuple(super(FiveCrop, self).forward(image) for _ in range(5))


class TenCrop(FiveCrop):
    """Ten images of one size."""

    def __init__(self, size: int | Sequence[int], vertical_flip: bool = False) -> None:
        super().__init__(size)

    def forward(self, image: Any) -> Any:
        return super().forward(image) * 2


Scale, RandomSizedCrop = Resize, RandomResizedCrop
