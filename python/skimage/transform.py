"""skimage.transform: pictures of other sizes, and matrices that move points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import lacks

from ._shapes import as_float, sized

if TYPE_CHECKING:
    from typing import Any

__getattr__ = lacks("skimage.transform")

swirl = as_float


def resize(image: np.ndarray, output_shape: Any, *_: object, **__: object) -> np.ndarray:
    return sized(image, output_shape)


def _factors(scale: Any, dimensions: int, channel_axis: Any) -> list:
    factors = list(scale) if hasattr(scale, "__len__") else [scale] * (dimensions - (channel_axis is not None))
    return factors


def rescale(image: np.ndarray, scale: Any, *_: object, channel_axis: int | None = None, **__: object) -> np.ndarray:
    shape = np.shape(image)
    return sized(image, [round(s * f) for s, f in zip(shape, _factors(scale, len(shape), channel_axis))])


def rotate(image: np.ndarray, angle: float, resize: bool = False, *_: object, **__: object) -> np.ndarray:
    height, width = np.shape(image)[:2]
    return sized(image, (width, height) if resize and angle % 180 == 90 else (height, width))


def warp(image: np.ndarray, inverse_map: Any, *_: object, output_shape: Any = None, **__: object) -> np.ndarray:
    return sized(image, np.shape(image)[:2] if output_shape is None else output_shape)


def downscale_local_mean(image: np.ndarray, factors: Any, *_: object, **__: object) -> np.ndarray:
    return sized(image, [-(-s // f) for s, f in zip(np.shape(image), factors)])


def pyramid_reduce(image: np.ndarray, downscale: float = 2, *_: object, **__: object) -> np.ndarray:
    return sized(image, [-(-s // int(downscale)) for s in np.shape(image)[:2]])


class ProjectiveTransform:
    """A matrix of homogeneous coordinates; what it is estimated from is not fitted: it stays the identity."""

    def __init__(self, matrix: Any = None, **_: object) -> None:
        self.params = np.eye(3) if matrix is None else np.asarray(matrix)

    def estimate(self, src: np.ndarray, dst: np.ndarray, *_: object) -> bool:
        return True

    def __call__(self, coords: np.ndarray) -> np.ndarray:
        return np.zeros(np.shape(coords), np.float64)

    inverse = property(lambda self: self)

    def __add__(self, other: Any) -> Any:
        return self


AffineTransform = SimilarityTransform = EuclideanTransform = PolynomialTransform = ProjectiveTransform
