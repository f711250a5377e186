"""skimage.feature: a picture without content has no edges and no peaks."""

from __future__ import annotations

import numpy as np
from torch._stand_ins import lacks

from ._shapes import as_bool, plane

__getattr__ = lacks("skimage.feature")

canny = as_bool
local_binary_pattern = corner_harris = plane


def peak_local_max(image: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return np.zeros((0, np.ndim(image)), "int64")
