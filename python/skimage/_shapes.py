"""Arrays of a picture's shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any


def same(image: np.ndarray, *_: object, **__: object) -> np.ndarray:
    """As many pixels of the same dtype."""
    return np.zeros(np.shape(image), np.asarray(image).dtype)


def as_float(image: np.ndarray, *_: object, **__: object) -> np.ndarray:
    """As many pixels as numbers from 0 to 1: float32 stays, anything else becomes float64."""
    kind = np.asarray(image).dtype
    return np.zeros(np.shape(image), kind if kind.kind == "f" else np.float64)


def as_bool(image: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return np.zeros(np.shape(image), bool)


def plane(image: np.ndarray, *_: object, **__: object) -> np.ndarray:
    """One number for each pixel."""
    return np.zeros(np.shape(image)[:2], np.float64)


def sized(image: np.ndarray, shape: Any) -> np.ndarray:
    """Pixels in another number of rows and columns; channels stay where the shape leaves them out."""
    shape = tuple(int(s) for s in shape)
    return np.zeros((*shape, *np.shape(image)[len(shape) :]), as_float(np.zeros((1,), np.asarray(image).dtype)).dtype)
