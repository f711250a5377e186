"""Triangles and diagonals of matrices: where they lie, and what is written there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._array import ndarray
from ._arrange import fliplr
from ._make import arange, asarray, ones, stack, zeros
from ._math import greater_equal

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import ArrayLike, DTypeLike


def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike = float) -> Any:
    rows, columns = arange(N).reshape(-1, 1), arange(-k, (N if M is None else M) - k)
    return greater_equal(rows, columns).astype(dtype)


def _pair(kept: Any) -> tuple:
    return asarray(kept).nonzero()


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple:
    return _pair(tri(n, m, k, bool))


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple:
    return _pair(tri(n, m, k - 1, bool).astype(int) == 0)


def tril_indices_from(arr: ndarray, k: int = 0) -> tuple:
    return tril_indices(arr.shape[-2], k, arr.shape[-1])


def triu_indices_from(arr: ndarray, k: int = 0) -> tuple:
    return triu_indices(arr.shape[-2], k, arr.shape[-1])


def mask_indices(n: int, mask_func: Callable, k: int = 0) -> tuple:
    return _pair(mask_func(ones((n, n), int), k) != 0)


def diag_indices(n: int, ndim: int = 2) -> tuple:
    return (arange(n),) * ndim


def diag_indices_from(arr: ndarray) -> tuple:
    return diag_indices(arr.shape[0], arr.ndim)


def fill_diagonal(a: ndarray, val: ArrayLike, wrap: bool = False) -> None:
    n = min(a.shape)
    values = asarray(val).reshape(-1)
    count = len(values)
    a[(arange(n),) * a.ndim] = values[arange(n) % count] if count > 1 else values[0]


def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> Any:
    x = asarray(x)
    n = len(x) if N is None else N
    if not n:
        return zeros((len(x), 0), x.dtype)
    rising = stack([x**i for i in range(n)], 1)
    return rising if increasing else fliplr(rising)
