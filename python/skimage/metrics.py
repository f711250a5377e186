"""skimage.metrics: errors between pictures whose pixels are known; 0 between those that are not."""

from __future__ import annotations

import math

import numpy as np
from torch._stand_ins import lacks

__getattr__ = lacks("skimage.metrics")


def mean_squared_error(image0: np.ndarray, image1: np.ndarray) -> float:
    difference = np.asarray(image0).astype("float64") - np.asarray(image1).astype("float64")
    return float((difference * difference).mean())


def peak_signal_noise_ratio(
    image_true: np.ndarray, image_test: np.ndarray, *, data_range: float | None = None
) -> float:
    error = mean_squared_error(image_true, image_test)
    if data_range is None:
        data_range = 255.0 if np.asarray(image_true).dtype.kind in "iu" else 1.0
    return 10 * math.log10(data_range**2 / error) if error else math.inf


def normalized_root_mse(image_true: np.ndarray, image_test: np.ndarray, **_: object) -> float:
    return math.sqrt(mean_squared_error(image_true, image_test))


def structural_similarity(im1: np.ndarray, im2: np.ndarray, *, full: bool = False, **_: object) -> float | tuple:
    """1, as between pictures that are alike."""
    return (1.0, np.ones(np.shape(im1))) if full else 1.0
