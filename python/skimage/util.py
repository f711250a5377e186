"""skimage.util: kinds of pixels, noise, windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import lacks

from ._shapes import as_float, same

if TYPE_CHECKING:
    from typing import Any

__getattr__ = lacks("skimage.util")

img_as_float = random_noise = as_float
invert = same


def _as(kind: Any) -> Any:
    return lambda image, force_copy=False: np.zeros(np.shape(image), kind)


img_as_float32, img_as_float64, img_as_ubyte = _as("float32"), _as("float64"), _as("uint8")
img_as_uint, img_as_int, img_as_bool = _as("uint16"), _as("int16"), _as("bool")


def view_as_windows(arr_in: np.ndarray, window_shape: Any, step: Any = 1) -> np.ndarray:
    shape = np.shape(arr_in)
    window = (window_shape,) * len(shape) if isinstance(window_shape, int) else tuple(window_shape)
    steps = (step,) * len(shape) if isinstance(step, int) else tuple(step)
    counts = [(s - w) // n + 1 for s, w, n in zip(shape, window, steps)]
    return np.zeros((*counts, *window), np.asarray(arr_in).dtype)


def view_as_blocks(arr_in: np.ndarray, block_shape: Any) -> np.ndarray:
    counts = [s // b for s, b in zip(np.shape(arr_in), block_shape)]
    return np.zeros((*counts, *block_shape), np.asarray(arr_in).dtype)


def crop(ar: np.ndarray, crop_width: Any, *_: object, **__: object) -> np.ndarray:
    pairs = [
        (c, c) if isinstance(c, int) else c
        for c in (crop_width if not isinstance(crop_width, int) else [crop_width] * ar.ndim)
    ]
    return np.zeros([s - a - b for s, (a, b) in zip(np.shape(ar), pairs)], ar.dtype)
