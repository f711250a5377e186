"""skimage.segmentation: one segment for all pixels."""

from __future__ import annotations

import numpy as np
from torch._stand_ins import lacks

from ._shapes import as_bool, as_float

__getattr__ = lacks("skimage.segmentation")

find_boundaries = as_bool
mark_boundaries = as_float


def slic(image: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return np.zeros(np.shape(image)[:2], "int64")


felzenszwalb = quickshift = slic


def watershed(image: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return np.zeros(np.shape(image), "int32")
