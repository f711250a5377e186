"""scipy.linalg: what NumPy has, too, and a few matrices."""

from typing import Any

import numpy as np
from torch._stand_ins import lacks

from ._shapes import same

_lacks = lacks("scipy.linalg")


def sqrtm(A: np.ndarray, disp: bool = True) -> Any:
    return same(A) if disp else (same(A), 0.0)


expm = logm = orth = same


def block_diag(*arrays: object) -> Any:
    arrays = [np.atleast_2d(np.asarray(array)) for array in arrays]
    made = np.zeros((sum(a.shape[0] for a in arrays), sum(a.shape[1] for a in arrays)), arrays[0].dtype)
    row = column = 0
    for a in arrays:
        made[row : row + a.shape[0], column : column + a.shape[1]] = a
        row, column = row + a.shape[0], column + a.shape[1]
    return made


def lu(a: np.ndarray, permute_l: bool = False, *_: object, **__: object) -> tuple:
    """Of the right shapes: the identity in front of the triangles of `a` itself."""
    a = np.asarray(a)
    rows, columns = a.shape
    inner = min(rows, columns)
    lower = np.tril(np.ones((rows, inner), a.dtype))
    upper = np.triu(a)[:inner]
    return (lower, upper) if permute_l else (np.eye(rows, dtype=a.dtype), lower, upper)


def lu_factor(a: np.ndarray, *_: object, **__: object) -> tuple:
    return np.asarray(a), np.arange(len(a), dtype="int32")


def hadamard(n: int, dtype: Any = int) -> np.ndarray:
    return np.array([[1 - 2 * ((i & j).bit_count() % 2) for j in range(n)] for i in range(n)], dtype)


def toeplitz(c: Any, r: Any = None) -> np.ndarray:
    r = c if r is None else r
    return np.array([[c[i - j] if i >= j else r[j - i] for j in range(len(r))] for i in range(len(c))])


def __getattr__(name: str) -> Any:
    found = getattr(np.linalg, name, None)
    return _lacks(name) if found is None or name.startswith("__") else found
