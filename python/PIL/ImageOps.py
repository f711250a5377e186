"""PIL.ImageOps: functions of images; those that change sizes do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._still import same

if TYPE_CHECKING:
    from typing import Any


autocontrast = equalize = flip = invert = mirror = posterize = solarize = exif_transpose = same


def grayscale(image: Any) -> Any:
    return image.convert("L")


def colorize(image: Any, *_: Any, **__: Any) -> Any:
    return image.convert("RGB")


def fit(image: Any, size: tuple[int, int], *_: Any, **__: Any) -> Any:
    return image.resize(size)


def pad(image: Any, size: tuple[int, int], *_: Any, **__: Any) -> Any:
    return image.resize(size)


def contain(image: Any, size: tuple[int, int], *_: Any, **__: Any) -> Any:
    scale = min(size[0] / image.width, size[1] / image.height)
    return image.resize((round(image.width * scale), round(image.height * scale)))


def crop(image: Any, border: int | tuple[int, ...] = 0) -> Any:
    return image.crop((border, border, image.width - border, image.height - border))


def expand(image: Any, border: int | tuple[int, ...] = 0, fill: str | int | tuple[int, ...] = 0) -> Any:
    """`border`: one width for all sides, (left and right, top and bottom), or (left, top, right, bottom)."""
    sides = (border,) if isinstance(border, int) else tuple(border)
    left, top, right, bottom = sides * (4 // len(sides))
    return image.resize((image.width + left + right, image.height + top + bottom))


def scale(image: Any, factor: float, *_: Any) -> Any:
    return image.resize((round(image.width * factor), round(image.height * factor)))
