"""scipy.ndimage: filters leave shapes as they are, zooms change them; there is no content."""

from typing import Any

import sys

import numpy as np
from torch._stand_ins import lacks

from ._shapes import same

gaussian_filter = gaussian_filter1d = uniform_filter = median_filter = maximum_filter = minimum_filter = convolve = same
convolve1d = correlate = sobel = laplace = gaussian_laplace = shift = affine_transform = grey_dilation = (
    grey_erosion
) = same
binary_dilation = binary_erosion = binary_opening = binary_closing = binary_fill_holes = same


def zoom(input: np.ndarray, zoom: Any, output: Any = None, *_: object, **__: object) -> np.ndarray:  # noqa: A002
    shape = np.shape(input)
    factors = [zoom] * len(shape) if np.isscalar(zoom) else zoom
    return np.zeros([round(size * factor) for size, factor in zip(shape, factors)], np.asarray(input).dtype)


def rotate(
    input: np.ndarray, angle: float, axes: Any = (1, 0), reshape: bool = True, *_: object, **__: object
) -> np.ndarray:  # noqa: A002
    shape = list(np.shape(input))
    if reshape and angle % 180 == 90:
        shape[axes[0]], shape[axes[1]] = shape[axes[1]], shape[axes[0]]
    return np.zeros(shape, np.asarray(input).dtype)


def map_coordinates(input: np.ndarray, coordinates: np.ndarray, *_: object, **__: object) -> np.ndarray:  # noqa: A002
    return np.zeros(np.shape(coordinates)[1:], np.asarray(input).dtype)


def distance_transform_edt(input: np.ndarray, *_: object, **__: object) -> np.ndarray:  # noqa: A002
    return np.zeros(np.shape(input), "float64")


def label(input: np.ndarray, *_: object, **__: object) -> tuple:  # noqa: A002
    return np.zeros(np.shape(input), "int32"), 0


filters = interpolation = measurements = morphology = sys.modules[__name__]
for _name in ("filters", "interpolation", "measurements", "morphology"):
    sys.modules[f"{__name__}.{_name}"] = filters
__getattr__ = lacks("scipy.ndimage")
