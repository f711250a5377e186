"""PIL.Image: images by size and mode. Files give their sizes by their headers; content is not kept."""

from __future__ import annotations

import builtins
import os
from enum import IntEnum
from typing import TYPE_CHECKING

from torch._stand_ins import lacks, note
from torchvision._headers import image_size
from torchvision._image import Image as _Placeholder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self


_lacks = lacks("PIL.Image")
_CHANNELS = {
    "1": 1,
    "L": 1,
    "P": 1,
    "I": 1,
    "F": 1,
    "I;16": 1,
    "LA": 2,
    "RGB": 3,
    "HSV": 3,
    "YCbCr": 3,
    "LAB": 3,
    "RGBA": 4,
    "CMYK": 4,
    "RGBX": 4,
}
MAX_IMAGE_PIXELS = 89_478_485


class Resampling(IntEnum):
    NEAREST, LANCZOS, BILINEAR, BICUBIC, BOX, HAMMING = range(6)


class Transpose(IntEnum):
    FLIP_LEFT_RIGHT, FLIP_TOP_BOTTOM, ROTATE_90, ROTATE_180, ROTATE_270, TRANSPOSE, TRANSVERSE = range(7)


class Transform(IntEnum):
    AFFINE, EXTENT, PERSPECTIVE, QUAD, MESH = range(5)


class Dither(IntEnum):
    NONE, ORDERED, RASTERIZE, FLOYDSTEINBERG = range(4)


class Palette(IntEnum):
    WEB, ADAPTIVE = range(2)


class Quantize(IntEnum):
    MEDIANCUT, MAXCOVERAGE, FASTOCTREE, LIBIMAGEQUANT = range(4)


globals().update(
    {
        k: v
        for kind in (Resampling, Transpose, Transform, Dither, Palette, Quantize)
        for k, v in kind.__members__.items()
    }
)
ANTIALIAS, CUBIC, LINEAR = Resampling.LANCZOS, Resampling.BICUBIC, Resampling.BILINEAR


class UnidentifiedImageError(OSError):
    """A file that is not an image."""


class DecompressionBombError(Exception):
    """An image that is too large."""


class Image(_Placeholder):
    """A size and a mode."""

    format = None
    readonly = 0

    def __init__(self, channels: int = 3, height: int = 0, width: int = 0, mode: Any = None) -> None:
        super().__init__(channels, height, width)
        self._mode, self.info, self.filename = mode, {}, ""

    mode = property(lambda self: self._mode or {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}[self.channels])

    def _with(self, width, height, mode=None):
        mode = mode or self.mode
        return Image(_CHANNELS[mode], int(height), int(width), mode)

    def convert(self, mode: str | None = None, *_: Any, **__: Any) -> Image:
        return self._with(self.width, self.height, mode or "RGB")

    def resize(self, size: Any, *_: Any, **__: Any) -> Image:
        return self._with(*size)

    def thumbnail(self, size: tuple[float, float], *_: Any, **__: Any) -> None:
        scale = min(1.0, size[0] / self.width, size[1] / self.height)
        self.width, self.height = max(1, round(self.width * scale)), max(1, round(self.height * scale))

    def crop(self, box: tuple[float, float, float, float] | None = None) -> Image:
        left, top, right, bottom = box or (0, 0, self.width, self.height)
        return self._with(right - left, bottom - top)

    def rotate(self, angle: float, *_: Any, expand: int | bool = False, **__: Any) -> Image:
        return self._with(self.height, self.width) if expand and angle % 180 == 90 else self.copy()

    def transpose(self, method: Transpose) -> Image:
        return self._with(self.height, self.width) if method in (2, 4, 5, 6) else self.copy()

    def copy(self) -> Image:
        return self._with(self.width, self.height)

    def transform(self, size: tuple[int, int], *_: Any, **__: Any) -> Image:
        return self._with(*size)

    filter = point = quantize = lambda self, *_, **__: self.copy()

    def split(self) -> tuple[Image, ...]:
        return tuple(self._with(self.width, self.height, "L") for _ in range(self.channels))

    def getbands(self) -> tuple[str, ...]:
        return tuple(self.mode)

    def getpixel(self, xy: tuple[int, int] | list[int]) -> float | tuple[int, ...] | None:
        return 0 if self.channels == 1 else (0,) * self.channels

    def putpixel(self, xy: tuple[int, int] | list[int], value: float | tuple[int, ...] | list[int]) -> None:
        """Content is not kept."""

    paste = putalpha = putdata = alpha_composite = putpalette = lambda self, *_, **__: None

    def getdata(self, band: int | None = None) -> Any:
        return [self.getpixel(None)] * (self.width * self.height)

    def getbbox(self) -> tuple[int, int, int, int] | None:
        return (0, 0, self.width, self.height)

    def getexif(self) -> dict:
        return {}

    def tobytes(self, *_: Any) -> bytes:
        return bytes(self.width * self.height * self.channels)

    def save(self, fp: Any, format: str | None = None, **_: Any) -> None:
        """A file of the picture's size."""
        from vramscope_data import pictures

        note("drawing_skipped", "library", "PIL.Image.save")
        pictures.write(fp, self.height, self.width, self.channels)

    show = load = verify = close = seek = draft = lambda self, *_, **__: None
    tell = lambda self: 0
    n_frames, is_animated = 1, False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Image) and (self.size, self.mode) == (other.size, other.mode)

    __hash__ = object.__hash__


def new(mode: str, size: tuple[int, int] | list[int], color: float | tuple[float, ...] | str | None = 0) -> Image:
    return Image(_CHANNELS[mode], size[1], size[0], mode)


def open(fp: Any, mode: str = "r", formats: list[str] | tuple[str, ...] | None = None) -> Any:  # noqa: A001
    if hasattr(fp, "read"):
        data, name = fp.read(), ""
    else:
        with builtins.open(fp, "rb") as file:
            data, name = file.read(1 << 16), os.fspath(fp)
    found = image_size(data)
    if found is None:
        raise UnidentifiedImageError(f"cannot identify image file {name or fp!r}")
    note("placeholder_data", "library", "PIL")
    is_palette = data[:4] == b"\x89PNG" and data[25] == 3
    made = Image(1, *found[1:], "P") if is_palette else Image(*found)
    made.filename = name
    made.format = EXTENSION.get(os.path.splitext(name)[1].lower()) or _STARTS.get(data[:2])
    return made


def fromarray(obj: Any, mode: str | None = None) -> Image:
    shape = obj.shape
    return Image(1 if len(shape) == 2 else shape[2], shape[0], shape[1], mode)


def frombytes(mode: str, size: tuple[int, int], data: Any, *_: Any) -> Image:
    return new(mode, size)


frombuffer = frombytes


def blend(im1: Image, im2: Image, alpha: float) -> Image:
    return im1.copy()


alpha_composite = composite = lambda im1, *_: im1.copy()


def merge(mode: str, bands: Sequence[Image]) -> Image:
    return new(mode, bands[0].size)


EXTENSION = {
    ".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG", ".bmp": "BMP", ".gif": "GIF", ".webp": "WEBP", ".tif": "TIFF", ".tiff": "TIFF",
}  # fmt: skip
_STARTS = {
    b"\xff\xd8": "JPEG",
    b"\x89P": "PNG",
    b"BM": "BMP",
    b"GI": "GIF",
    b"RI": "WEBP",
    b"II": "TIFF",
    b"MM": "TIFF",
}


def registered_extensions() -> dict[str, str]:
    return EXTENSION


def isImageType(t: Any) -> bool:
    return isinstance(t, Image)


def init() -> None:
    """All formats are known."""


preinit = init


def __getattr__(name: str) -> Any:
    return _lacks(name)
