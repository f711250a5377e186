"""Reductions along axes, running sums, sorting and counting."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

from ._array import cast, count, ndarray, scalar
from ._dtypes import dtype
from ._make import array, asarray
from ._math import sqrt
from ._uniform import Uniform

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike, DTypeLike


def _reduced(name, function, a, axis, keepdims, kind, otherwise=None):
    """`function` of each list of values along `axis`."""
    a = asarray(a)
    axes = (
        tuple(range(a.ndim))
        if axis is None
        else tuple(x % a.ndim for x in ((axis,) if isinstance(axis, int) else axis))
    )
    kept = [s for i, s in enumerate(a.shape) if i not in axes]
    kind = dtype(kind)
    if not a.size and otherwise is None:
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    if a._values is None:
        made = ndarray(kept, kind)
        made = made if kept else ndarray((), kind, [cast(0, kind)])
        if not kept:
            a.read()
    else:
        order = [i for i in range(a.ndim) if i not in axes] + list(axes)
        values = a._values if order == list(range(a.ndim)) else a.transpose(order)._values
        n = count([a.shape[i] for i in axes])
        rows = count(kept)
        if type(values) is Uniform and rows:
            found = Uniform(cast(function(values[:n]), kind), rows)
        else:
            found = [cast(function(values[i * n : (i + 1) * n]), kind) for i in range(rows)]
        made = ndarray(kept, kind, found)
    if keepdims:
        return made.reshape([1 if i in axes else s for i, s in enumerate(a.shape)])
    return made if kept else scalar(made._values[0], kind)


def _sum_kind(kind):
    return dtype("int64") if kind.kind in "bi" else dtype("uint64") if kind.kind == "u" else kind


def sum(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None, keepdims: bool = False, **kwargs: Any) -> Any:
    a = asarray(a)
    return _reduced(
        "add",
        lambda v: math.fsum(v) if a.dtype.kind == "f" else _total(v),
        a,
        axis,
        keepdims,
        dtype or _sum_kind(a.dtype),
        0,
    )


def _total(values):
    total = 0
    for v in values:
        total += v
    return total


def prod(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None, keepdims: bool = False) -> Any:
    a = asarray(a)
    return _reduced("multiply", math.prod, a, axis, keepdims, dtype or _sum_kind(a.dtype), 1)


def mean(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None, keepdims: bool = False) -> Any:
    a = asarray(a)
    kind = dtype or (a.dtype if a.dtype.kind in "fc" else "float64")
    return _reduced("mean", lambda v: _total(v) / len(v) if v else math.nan, a, axis, keepdims, kind, math.nan)


def average(
    a: ArrayLike, axis: int | None = None, weights: ArrayLike = None, returned: bool = False, keepdims: bool = False
) -> Any:
    if weights is None:
        return mean(a, axis, keepdims=keepdims)
    weights = asarray(weights)
    return sum(asarray(a) * weights, axis, keepdims=keepdims) / sum(
        weights, axis if weights.ndim > 1 else None, keepdims=keepdims
    )


def var(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None, ddof: int = 0, keepdims: bool = False) -> Any:
    def spread(v):
        middle = _total(v) / len(v)
        return math.fsum((x - middle) ** 2 for x in v) / max(len(v) - ddof, 1)

    a = asarray(a)
    return _reduced("var", spread, a, axis, keepdims, a.dtype if a.dtype.kind in "fc" else "float64")


def std(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None, ddof: int = 0, keepdims: bool = False) -> Any:
    return sqrt(var(a, axis, dtype, ddof, keepdims))


def amax(a: ArrayLike, axis: int | None = None, keepdims: bool = False, **kwargs: Any) -> Any:
    return _reduced("maximum", max_of, a, axis, keepdims, asarray(a).dtype)


def amin(a: ArrayLike, axis: int | None = None, keepdims: bool = False, **kwargs: Any) -> Any:
    return _reduced("minimum", min_of, a, axis, keepdims, asarray(a).dtype)


max_of, min_of = max, min


def _percentile(values, q):
    values = sorted(values)
    at = (len(values) - 1) * q / 100
    low = math.floor(at)
    high = min_of(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def percentile(a: ArrayLike, q: ArrayLike, axis: int | None = None, keepdims: bool = False, **kwargs: Any) -> Any:
    if isinstance(q, (list, tuple, ndarray)):
        return array([percentile(a, float(x), axis, keepdims) for x in q])
    return _reduced("percentile", lambda v: _percentile(v, q), a, axis, keepdims, "float64")


def quantile(a: ArrayLike, q: ArrayLike, axis: int | None = None, keepdims: bool = False, **kwargs: Any) -> Any:
    return percentile(a, asarray(q) * 100 if isinstance(q, (list, tuple, ndarray)) else q * 100, axis, keepdims)


def median(a: ArrayLike, axis: int | None = None, keepdims: bool = False) -> Any:
    return percentile(a, 50, axis, keepdims)


def _any(a, axis=None, keepdims=False, **kwargs):
    return _reduced("any", lambda v: next((True for x in v if x), False), a, axis, keepdims, "bool", False)


def _all(a, axis=None, keepdims=False, **kwargs):
    return _reduced("all", lambda v: next((False for x in v if not x), True), a, axis, keepdims, "bool", True)


def argmax(a: ArrayLike, axis: int | None = None, keepdims: bool = False) -> Any:
    return _reduced("argmax", lambda v: v.index(max_of(v)), a, axis, keepdims, "int64")


def argmin(a: ArrayLike, axis: int | None = None, keepdims: bool = False) -> Any:
    return _reduced("argmin", lambda v: v.index(min_of(v)), a, axis, keepdims, "int64")


def count_nonzero(a: ArrayLike, axis: int | None = None) -> Any:
    return _reduced("count_nonzero", lambda v: _total(bool(x) for x in v), a, axis, False, "int64", 0)


def _along(function, a, axis, kind=None):
    """`function` from each list of values along an axis to one of the same length."""
    a = asarray(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    kind = dtype(kind or a.dtype)
    if a._values is None:
        return ndarray(a.shape, kind)
    axis %= a.ndim
    order = [i for i in range(a.ndim) if i != axis] + [axis]
    moved = a.transpose(order)
    n = a.shape[axis]
    values = [cast(v, kind) for i in range(0, len(moved._values), n or 1) for v in function(moved._values[i : i + n])]
    return ndarray(moved.shape, kind, values).transpose([order.index(i) for i in range(a.ndim)])


def _running(values):
    total, found = 0, []
    for v in values:
        total += v
        found.append(total)
    return found


def cumsum(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None) -> Any:
    return _along(_running, a, axis, dtype or _sum_kind(asarray(a).dtype))


def sort(a: ArrayLike, axis: int | None = -1, **kwargs: Any) -> Any:
    return _along(sorted, a, axis)


def argsort(a: ArrayLike, axis: int | None = -1, **kwargs: Any) -> Any:
    return _along(lambda v: sorted(range(len(v)), key=v.__getitem__), a, axis, "int64")


def flip(a: ArrayLike, axis: int | None = None) -> Any:
    a = asarray(a)
    axes = range(a.ndim) if axis is None else [axis % a.ndim]
    return a[tuple(slice(None, None, -1) if i in axes else slice(None) for i in range(a.ndim))]


def diff(a: ArrayLike, n: int = 1, axis: int | None = -1) -> Any:
    a = asarray(a)
    ahead = (slice(None),) * (axis % a.ndim)
    return a[(*ahead, slice(1, None))] - a[(*ahead, slice(None, -1))]


def unique(
    a: ArrayLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    **_: Any,
) -> Any:
    a = asarray(a)
    values, rest = a.read(), ()
    if axis is not None:
        a = a.transpose([axis % a.ndim, *(i for i in range(a.ndim) if i != axis % a.ndim)])
        rest, size = a.shape[1:], count(a.shape[1:])
        values = [(0,) * size] * len(a) if a._values is None else a.read()
        if a._values is not None:
            values = [tuple(values[i * size : (i + 1) * size]) for i in range(len(a))]
    first, counts = {}, {}
    if values and a._values is None:
        first, counts = {values[0]: 0}, {values[0]: len(values)}  # what nobody knows reads as zeros
    else:
        for i, v in enumerate(values):
            first.setdefault(v, i)
            counts[v] = counts.get(v, 0) + 1
    found = sorted(first)
    flat = found if axis is None else [v for row in found for v in row]
    made = [ndarray((len(found), *rest), a.dtype, flat)]
    if return_index:
        made.append(array([first[v] for v in found], "int64"))
    if return_inverse:
        place = {v: i for i, v in enumerate(found)}
        made.append(array([place[v] for v in values], "int64"))
    if return_counts:
        made.append(array([counts[v] for v in found], "int64"))
    return made[0] if len(made) == 1 else tuple(made)


def bincount(x: ArrayLike, weights: ArrayLike = None, minlength: int = 0) -> Any:
    values = asarray(x).read()
    counts = [0] * max_of(minlength, max_of(values, default=-1) + 1)
    for v in values:
        counts[v] += 1
    return array(counts, int)


def nonzero(a: ArrayLike) -> tuple:
    a = asarray(a)
    values = a.read()
    known = a._values is not None  # what nobody knows reads as zeros
    indices = [p for p, v in zip(product(*map(range, a.shape)), values) if v] if known else []
    return tuple(ndarray((len(indices),), int, [p[i] for p in indices]) for i in range(a.ndim))
