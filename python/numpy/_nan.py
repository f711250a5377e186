"""Reductions that leave NaN out, beside the common ones of `_statistics`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._array import ndarray
from ._make import asarray
from ._math import isnan, where
from ._reduce import argmax, argmin, cumsum, percentile, prod
from ._statistics import cumprod, nanstd

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike, DTypeLike


def _filled(a: ArrayLike, value: float) -> ndarray:
    a = asarray(a)
    return where(isnan(a), value, a) if a.dtype.kind in "fc" else a


def nanprod(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None, keepdims: bool = False) -> Any:
    return prod(_filled(a, 1), axis, dtype, keepdims)


def nancumsum(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None) -> Any:
    return cumsum(_filled(a, 0), axis, dtype)


def nancumprod(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None) -> Any:
    return cumprod(_filled(a, 1), axis, dtype)


def nanargmax(a: ArrayLike, axis: int | None = None, keepdims: bool = False) -> Any:
    return argmax(_filled(a, float("-inf")), axis, keepdims)


def nanargmin(a: ArrayLike, axis: int | None = None, keepdims: bool = False) -> Any:
    return argmin(_filled(a, float("inf")), axis, keepdims)


def nanvar(a: ArrayLike, axis: int | None = None, ddof: int = 0, keepdims: bool = False, **_: Any) -> Any:
    return nanstd(a, axis, ddof, keepdims) ** 2


def nanpercentile(a: ArrayLike, q: ArrayLike, axis: int | None = None, keepdims: bool = False, **_: Any) -> Any:
    from ._arrange import apply_along_axis

    a = asarray(a)
    if axis is None:
        flat = a.reshape(-1)
        return percentile(flat[isnan(flat) == 0], q)
    found = apply_along_axis(lambda row: percentile(row[isnan(row) == 0], q), axis, a)
    return found.reshape([1 if i == axis % a.ndim else s for i, s in enumerate(a.shape)]) if keepdims else found


def nanquantile(a: ArrayLike, q: ArrayLike, axis: int | None = None, keepdims: bool = False, **_: Any) -> Any:
    return nanpercentile(a, asarray(q) * 100, axis, keepdims)
