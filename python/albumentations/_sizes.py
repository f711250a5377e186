"""Transforms that give a picture another size or type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._transform import DualTransform, ImageOnlyTransform

if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "CenterCrop", "Crop", "CropNonEmptyMaskIfExists", "FromFloat", "LongestMaxSize", "Normalize", "PadIfNeeded", "RandomCrop",
    "RandomResizedCrop", "RandomRotate90", "RandomSizedBBoxSafeCrop", "RandomSizedCrop", "Resize", "SmallestMaxSize", "ToFloat",
    "Transpose",
]  # fmt: skip


def _sized(picture, height, width):
    """A picture of another size; the same where it has it already."""
    if picture.shape[:2] == (height, width):
        return picture
    return np.zeros((height, width, *picture.shape[2:]), dtype=picture.dtype)


class _Exact(DualTransform):
    """Height and width, as two numbers or, in some, as the pair `size`."""

    def __init__(self, height: Any = None, width: Any = None, *args: Any, size: Any = None, **settings: Any) -> None:
        super().__init__(**settings)
        if isinstance(height, (tuple, list)):
            size = height
        self.height, self.width = map(int, size if size is not None else (height, width))

    def apply(self, img: np.ndarray, **_: Any) -> np.ndarray:
        return _sized(img, self.height, self.width)


class Resize(_Exact):
    pass


class RandomCrop(_Exact):
    pass


class CenterCrop(_Exact):
    pass


class CropNonEmptyMaskIfExists(_Exact):
    pass


class RandomResizedCrop(_Exact):
    pass


class RandomSizedBBoxSafeCrop(_Exact):
    pass


class RandomSizedCrop(_Exact):
    def __init__(self, min_max_height: Any, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)


class Crop(DualTransform):
    def __init__(self, x_min: int = 0, y_min: int = 0, x_max: int = 1024, y_max: int = 1024, **settings: Any) -> None:
        super().__init__(**settings)
        self._box = x_min, y_min, x_max, y_max

    def apply(self, img: np.ndarray, **_: Any) -> np.ndarray:
        left, top, right, bottom = self._box
        return img[top:bottom, left:right]


class _Side(DualTransform):
    """One side gets a length, and the other keeps its share of it."""

    _of = staticmethod(max)

    def __init__(self, max_size: Any = 1024, *args: Any, **settings: Any) -> None:
        super().__init__(**settings)
        self.max_size = max_size if isinstance(max_size, int) else max(max_size)

    def apply(self, img: np.ndarray, **_: Any) -> np.ndarray:
        height, width = img.shape[:2]
        scale = self.max_size / self._of(height, width)
        return _sized(img, round(height * scale), round(width * scale))


class LongestMaxSize(_Side):
    pass


class SmallestMaxSize(_Side):
    _of = staticmethod(min)


class PadIfNeeded(DualTransform):
    def __init__(self, min_height: int | None = 1024, min_width: int | None = 1024, pad_height_divisor: int | None = None, pad_width_divisor: int | None = None, **settings: Any) -> None:  # fmt: skip
        super().__init__(**settings)
        self._least = (min_height, pad_height_divisor), (min_width, pad_width_divisor)

    def apply(self, img: np.ndarray, **_: Any) -> np.ndarray:
        sides = (
            max(side, least) if least is not None else -(-side // divisor) * divisor
            for side, (least, divisor) in zip(img.shape, self._least)
        )
        return _sized(img, *sides)


class _Turned(DualTransform):
    """Where chance decides whether sides are exchanged, they stay as they are."""


class RandomRotate90(_Turned):
    pass


class Transpose(_Turned):
    pass


class _Typed(ImageOnlyTransform):
    _dtype = "float32"

    def apply(self, img: np.ndarray, **_: Any) -> np.ndarray:
        return img.astype(self._dtype)


class Normalize(_Typed):
    pass


class ToFloat(_Typed):
    pass


class FromFloat(_Typed):
    def __init__(self, dtype: Any = "uint8", **settings: Any) -> None:
        super().__init__(**settings)
        self._dtype = dtype
