"""scipy.spatial: distances and nearest neighbours by their shapes."""

from typing import Any

import math
import sys
import types

import numpy as np
from torch._stand_ins import lacks


def cdist(XA: np.ndarray, XB: np.ndarray, metric: str = "euclidean", *_: object, **__: object) -> np.ndarray:
    return np.zeros((len(XA), len(XB)), "float64")


def pdist(X: np.ndarray, metric: str = "euclidean", *_: object, **__: object) -> np.ndarray:
    return np.zeros(len(X) * (len(X) - 1) // 2, "float64")


def squareform(X: np.ndarray, *_: object, **__: object) -> np.ndarray:
    size = (1 + math.isqrt(1 + 8 * len(X))) // 2
    return np.zeros((size, size), "float64")


def euclidean(u: np.ndarray, v: np.ndarray, w: Any = None) -> float:
    return float(np.linalg.norm(np.asarray(u) - np.asarray(v)))


def cosine(u: np.ndarray, v: np.ndarray, w: Any = None) -> Any:
    lengths = float(np.linalg.norm(u)) * float(np.linalg.norm(v))
    return 1 - float(np.dot(u, v)) / lengths if lengths else math.nan


class KDTree:
    def __init__(self, data: np.ndarray, *_: object, **__: object) -> None:
        self.n = len(data)

    def query(self, x: np.ndarray, k: int = 1, *_: object, **__: object) -> tuple:
        shape = (*np.shape(x)[:-1], *(() if k == 1 else (k,)))
        return np.zeros(shape, "float64"), np.zeros(shape, "int64")


cKDTree = KDTree
distance = types.ModuleType("scipy.spatial.distance")
vars(distance).update(cdist=cdist, pdist=pdist, squareform=squareform, euclidean=euclidean, cosine=cosine)
sys.modules[distance.__name__] = distance
__getattr__ = lacks("scipy.spatial")
