"""scipy.ndimage: filters leave shapes as they are, zooms change them; there is no content."""

import sys

import numpy as np
from torch._stand_ins import lacks

from ._shapes import same

gaussian_filter = gaussian_filter1d = uniform_filter = median_filter = maximum_filter = minimum_filter = convolve = same
convolve1d = correlate = sobel = laplace = gaussian_laplace = shift = affine_transform = grey_dilation = (
    grey_erosion
) = same
binary_dilation = binary_erosion = binary_opening = binary_closing = binary_fill_holes = same


def zoom(input, zoom, output=None, *_, **__):  # noqa: A002
    shape = np.shape(input)
    factors = [zoom] * len(shape) if np.isscalar(zoom) else zoom
    return np.zeros([round(size * factor) for size, factor in zip(shape, factors)], np.asarray(input).dtype)


def rotate(input, angle, axes=(1, 0), reshape=True, *_, **__):  # noqa: A002
    shape = list(np.shape(input))
    if reshape and angle % 180 == 90:
        shape[axes[0]], shape[axes[1]] = shape[axes[1]], shape[axes[0]]
    return np.zeros(shape, np.asarray(input).dtype)


def map_coordinates(input, coordinates, *_, **__):  # noqa: A002
    return np.zeros(np.shape(coordinates)[1:], np.asarray(input).dtype)


def distance_transform_edt(input, *_, **__):  # noqa: A002
    return np.zeros(np.shape(input), "float64")


def label(input, *_, **__):  # noqa: A002
    return np.zeros(np.shape(input), "int32"), 0


filters = interpolation = measurements = morphology = sys.modules[__name__]
for _name in ("filters", "interpolation", "measurements", "morphology"):
    sys.modules[f"{__name__}.{_name}"] = filters
__getattr__ = lacks("scipy.ndimage")
