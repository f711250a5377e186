"""What stands for a PIL image: a size and a number of channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import torch


class Image:
    """Without content; `size` is (width, height), as PIL has it."""

    def __init__(self, channels: Any, height: Any, width: Any) -> None:
        self.channels, self.height, self.width = channels, height, width

    size = property(lambda self: (self.width, self.height))
    mode = property(lambda self: {1: "L", 3: "RGB", 4: "RGBA"}.get(self.channels, "?"))

    def convert(self, mode: Any) -> Image:
        return Image({"L": 1, "RGB": 3, "RGBA": 4}[mode], self.height, self.width)

    def resize(self, size: Any, resample: Any = None, box: Any = None, reducing_gap: Any = None) -> Image:
        return Image(self.channels, size[1], size[0])

    def __array__(self, dtype: torch.dtype | None = None, copy: Any = None) -> Any:
        import numpy

        shape = (self.height, self.width) if self.channels == 1 else (self.height, self.width, self.channels)
        return numpy.zeros(shape, dtype or "uint8")


def picture(channels: Any, height: Any, width: Any) -> Any:
    """An image of PIL, as data sets hand it out."""
    from PIL.Image import Image as Picture

    return Picture(channels, height, width)


def shape_of(image: Any) -> tuple:
    """(channels, height, width) of an image or a tensor [..., channels, height, width]."""
    if isinstance(image, Image):
        return image.channels, image.height, image.width
    return tuple(image.shape[-3:])


def with_size(image: Any, channels: Any, height: Any, width: Any) -> Any:
    """The same kind of thing with other sizes."""
    if isinstance(image, Image):
        return type(image)(channels, height, width)
    import torch

    shape = (*image.shape[:-3], channels, height, width)
    return image if tuple(image.shape) == shape else torch.empty(shape, dtype=image.dtype, device=image.device)
