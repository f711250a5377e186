"""skimage.morphology: masks of the same size, and small shapes of ones."""

from __future__ import annotations

import numpy as np
from torch._stand_ins import lacks

from ._shapes import as_bool, same

__getattr__ = lacks("skimage.morphology")

binary_dilation = binary_erosion = binary_opening = binary_closing = skeletonize = thin = convex_hull_image = as_bool
dilation = erosion = opening = closing = white_tophat = black_tophat = reconstruction = remove_small_objects = same
remove_small_holes = same


def square(width: int, dtype: str = "uint8") -> np.ndarray:
    return np.ones((width, width), dtype)


def disk(radius: int, dtype: str = "uint8") -> np.ndarray:
    side = np.arange(-radius, radius + 1)
    return ((side.reshape(-1, 1) ** 2 + side.reshape(1, -1) ** 2) <= radius**2).astype(dtype)


def ball(radius: int, dtype: str = "uint8") -> np.ndarray:
    return np.ones((2 * radius + 1,) * 3, dtype)
