"""scipy.misc as SciPy had it before 1.2: pictures as arrays by their files' sizes; the report says that today's SciPy has no such part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any

__getattr__ = lacks("scipy.misc")


def _tell(name):
    note("former_name", library="scipy.misc", name=name)


def imread(name: Any, flatten: bool = False, mode: str | None = None) -> np.ndarray:
    from PIL import Image

    _tell("imread")
    picture = Image.open(name)
    return fromimage(picture if mode is None else picture.convert(mode), flatten)


def fromimage(im: Any, flatten: bool = False, mode: str | None = None) -> np.ndarray:
    picture = np.array(im if mode is None else im.convert(mode))
    return np.zeros(picture.shape[:2], np.float32) if flatten else picture


def imsave(name: Any, arr: Any, format: str | None = None) -> None:
    """Nothing is written."""
    _tell("imsave")


imshow = imsave


def toimage(arr: Any, *_: object, **__: object) -> Any:
    from PIL import Image

    _tell("toimage")
    return Image.fromarray(bytescale(arr))


def bytescale(data: Any, *_: object, **__: object) -> np.ndarray:
    return np.asarray(data).astype("uint8")


def imresize(arr: Any, size: Any, interp: str = "bilinear", mode: str | None = None) -> np.ndarray:
    """`size`: per cent as a whole number, a factor, or height and width."""
    _tell("imresize")
    arr = np.asarray(arr)
    factor = size / 100 if isinstance(size, int) else size
    sides = size if isinstance(size, (tuple, list)) else [int(side * factor) for side in arr.shape[:2]]
    return np.zeros((*map(int, sides[:2]), *arr.shape[2:]), "uint8")


def face(gray: bool = False) -> np.ndarray:
    """The picture of a racoon that came with it, as a placeholder of its size."""
    _tell("face")
    return np.zeros((768, 1024) if gray else (768, 1024, 3), "uint8")
