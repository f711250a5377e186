"""skimage.filters: pictures of the same size."""

from __future__ import annotations

import numpy as np
from torch._stand_ins import lacks

from ._shapes import as_bool, as_float, same

__getattr__ = lacks("skimage.filters")

gaussian = sobel = sobel_h = sobel_v = scharr = prewitt = laplace = unsharp_mask = difference_of_gaussians = frangi = (
    as_float
)
median = same
apply_hysteresis_threshold = as_bool


def threshold_otsu(*_: object, **__: object) -> float:
    """0: there is no histogram."""
    return 0.0


threshold_li = threshold_yen = threshold_mean = threshold_isodata = threshold_triangle = threshold_otsu


def threshold_local(image: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return as_float(image)
