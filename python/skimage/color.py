"""skimage.color: what a change of colours leaves of channels."""

from __future__ import annotations

import numpy as np
from torch._stand_ins import lacks

from ._shapes import as_float, plane

__getattr__ = lacks("skimage.color")

rgb2gray = plane
rgb2lab = lab2rgb = rgb2hsv = hsv2rgb = rgb2ycbcr = ycbcr2rgb = rgb2yuv = yuv2rgb = rgb2xyz = xyz2rgb = rgb2luv = (
    as_float
)
luv2rgb = lab2xyz = xyz2lab = convert_colorspace = as_float


def gray2rgb(image: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return np.zeros((*np.shape(image), 3), np.asarray(image).dtype)


def rgba2rgb(rgba: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return np.zeros((*np.shape(rgba)[:-1], 3), np.float64)


def label2rgb(label: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return np.zeros((*np.shape(label)[:2], 3), np.float64)
