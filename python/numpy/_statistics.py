"""Sets, NaN-aware sums, histograms, interpolation, windows, polynomials: functions of few values."""

from __future__ import annotations

import bisect
import math
from typing import TYPE_CHECKING

from ._array import ndarray
from ._make import array, asarray, linspace, ones
from ._math import absolute, elementwise, less_equal, where
from ._products import matmul
from ._reduce import _along, _reduced, _sum_kind, amax, amin, mean

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import ArrayLike, DTypeLike


def cumprod(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None) -> Any:
    def running(values):
        total, found = 1, []
        for v in values:
            total *= v
            found.append(total)
        return found

    return _along(running, a, axis, dtype or _sum_kind(asarray(a).dtype))


def accumulated(function: Callable) -> Any:
    """`accumulate` of a function of two values, along an axis."""

    def accumulate(a, axis=0):
        def running(values):
            found = []
            for v in values:
                found.append(v if not found else function(found[-1], v))
            return found

        return _along(running, a, axis)

    return accumulate


def _without_nan(function):
    return lambda v: function([x for x in v if x == x])


def nansum(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None, keepdims: bool = False) -> Any:
    return _reduced("nansum", _without_nan(math.fsum), a, axis, keepdims, dtype or asarray(a).dtype, 0)


def nanmean(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None, keepdims: bool = False) -> Any:
    return _reduced(
        "nanmean",
        _without_nan(lambda v: math.fsum(v) / len(v) if v else math.nan),
        a,
        axis,
        keepdims,
        "float64",
        math.nan,
    )


def nanmax(a: ArrayLike, axis: int | None = None, keepdims: bool = False, **_: Any) -> Any:
    return _reduced("nanmax", _without_nan(lambda v: max(v, default=math.nan)), a, axis, keepdims, asarray(a).dtype)


def nanmin(a: ArrayLike, axis: int | None = None, keepdims: bool = False, **_: Any) -> Any:
    return _reduced("nanmin", _without_nan(lambda v: min(v, default=math.nan)), a, axis, keepdims, asarray(a).dtype)


def nanstd(a: ArrayLike, axis: int | None = None, ddof: int = 0, keepdims: bool = False, **_: Any) -> Any:
    def spread(v):
        middle = math.fsum(v) / len(v)
        return math.sqrt(math.fsum((x - middle) ** 2 for x in v) / max(len(v) - ddof, 1))

    return _reduced("nanstd", _without_nan(spread), a, axis, keepdims, "float64")


def nanmedian(a: ArrayLike, axis: int | None = None, keepdims: bool = False) -> Any:
    def middle(v):
        v, n = sorted(v), len(v)
        return math.nan if not n else v[n // 2] if n % 2 else (v[n // 2 - 1] + v[n // 2]) / 2

    return _reduced("nanmedian", _without_nan(middle), a, axis, keepdims, "float64")


def nan_to_num(x: ArrayLike, copy: bool = True, nan: float = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    big = 1.7976931348623157e308
    return elementwise(
        lambda v: nan if v != v else (big if posinf is None else posinf) if v == math.inf
        else (-big if neginf is None else neginf) if v == -math.inf else v, x
    )  # fmt: skip


def ptp(a: ArrayLike, axis: int | None = None, keepdims: bool = False) -> Any:
    return amax(a, axis, keepdims) - amin(a, axis, keepdims)


def isclose(a: ArrayLike, b: ArrayLike, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    return less_equal(absolute(asarray(a) - asarray(b)), atol + rtol * absolute(asarray(b)))


def isin(element: ArrayLike, test_elements: ArrayLike, assume_unique: bool = False, invert: bool = False) -> Any:
    known = set(asarray(test_elements).read())
    return elementwise(lambda v: (v in known) != invert, element, kind="bool")


in1d = isin


def _set(values, like):
    return ndarray((len(values),), asarray(like).dtype, list(values))


def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    gone = set(asarray(ar2).read())
    return _set(sorted(v for v in set(asarray(ar1).read()) if v not in gone), ar1)


def intersect1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    return _set(sorted(set(asarray(ar1).read()) & set(asarray(ar2).read())), ar1)


def union1d(ar1: Any, ar2: Any) -> Any:
    return _set(sorted(set(asarray(ar1).read()) | set(asarray(ar2).read())), ar1)


def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    return _set(sorted(set(asarray(ar1).read()) ^ set(asarray(ar2).read())), ar1)


def searchsorted(a: ArrayLike, v: ArrayLike, side: str = "left", sorter: Any = None) -> Any:
    known, find = asarray(a).read(), bisect.bisect_left if side == "left" else bisect.bisect_right
    return elementwise(lambda x: find(known, x), v, kind="int64")


def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> Any:
    return searchsorted(bins, x, "left" if right else "right")


def histogram(
    a: ArrayLike, bins: ArrayLike = 10, range: Any = None, density: Any = None, weights: ArrayLike = None
) -> tuple:
    values = asarray(a).read()
    if isinstance(bins, int):
        low, high = range if range is not None else (min(values, default=0), max(values, default=1))
        edges = linspace(low, high if high > low else low + 1, bins + 1)
    else:
        edges = asarray(bins)
    known = edges.read()
    counts = [0] * (len(known) - 1)
    for v in values:
        if known[0] <= v <= known[-1]:
            counts[min(bisect.bisect_right(known, v) - 1, len(counts) - 1)] += 1
    found = array(counts, dtype="int64")
    return (found / (found.sum() * (edges[1:] - edges[:-1])) if density else found), edges


def histogram2d(
    x: ArrayLike, y: ArrayLike, bins: ArrayLike = 10, range: Any = None, density: Any = None, weights: ArrayLike = None
) -> tuple:
    both = (asarray(x), asarray(y))
    each = bins if isinstance(bins, (list, tuple)) and len(bins) == 2 else (bins, bins)
    edges = [histogram(a, b, r)[1] for a, b, r in zip(both, each, range or (None, None))]
    (rows, columns), shape = (e.read() for e in edges), [len(e) - 1 for e in edges]
    counts = [0.0] * (shape[0] * shape[1])
    weighed = asarray(weights).read() if weights is not None else [1.0] * both[0].size
    for v, w, weight in zip(both[0].read(), both[1].read(), weighed):
        if rows[0] <= v <= rows[-1] and columns[0] <= w <= columns[-1]:
            i = min(bisect.bisect_right(rows, v) - 1, shape[0] - 1)
            counts[i * shape[1] + min(bisect.bisect_right(columns, w) - 1, shape[1] - 1)] += weight
    found = array(counts).reshape(shape)
    if density:
        areas = (edges[0][1:] - edges[0][:-1]).reshape(-1, 1) * (edges[1][1:] - edges[1][:-1])
        found = found / areas / found.sum()
    return found, *edges


def interp(x: ArrayLike, xp: ArrayLike, fp: ArrayLike, left: Any = None, right: Any = None, period: Any = None) -> Any:
    xs, ys = asarray(xp).read(), asarray(fp).read()

    def at(v):
        if v <= xs[0]:
            return ys[0] if left is None or v == xs[0] else left
        if v >= xs[-1]:
            return ys[-1] if right is None or v == xs[-1] else right
        i = bisect.bisect_right(xs, v) - 1
        return ys[i] + (ys[i + 1] - ys[i]) * (v - xs[i]) / (xs[i + 1] - xs[i])

    return elementwise(at, x, kind="float64")


def trapezoid(y: ArrayLike, x: ArrayLike = None, dx: float = 1.0, axis: int | None = -1) -> Any:
    ys = asarray(y).read()
    xs = asarray(x).read() if x is not None else [i * dx for i in range(len(ys))]
    return math.fsum((b - a) * (p + q) / 2 for a, b, p, q in zip(xs, xs[1:], ys, ys[1:]))


trapz = trapezoid


def gradient(f: Any, *spacing: Any, axis: int | None = None) -> Any:
    values = asarray(f).read()
    step = spacing[0] if spacing else 1
    n = len(values)
    found = [
        (values[min(i + 1, n - 1)] - values[max(i - 1, 0)]) / (step * (min(i + 1, n - 1) - max(i - 1, 0)))
        for i in range(n)
    ]
    return array(found)


def convolve(a: ArrayLike, v: ArrayLike, mode: str = "full") -> Any:
    xs, ys = asarray(a).read(), asarray(v).read()
    whole = [0] * (len(xs) + len(ys) - 1)
    for i, x in enumerate(xs):
        for j, y in enumerate(ys):
            whole[i + j] += x * y
    short, long = sorted((len(xs), len(ys)))
    if mode == "same":
        start = (short - 1) // 2
        whole = whole[start : start + long]
    elif mode == "valid":
        whole = whole[short - 1 : long]
    return array(whole)


def cov(m: ArrayLike, y: ArrayLike = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None) -> Any:
    m = asarray(m)
    m = m.reshape(1, -1) if m.ndim == 1 else m if rowvar else m.T
    centred = m - mean(m, 1, keepdims=True)
    found = matmul(centred, centred.T) / (m.shape[1] - (0 if bias else 1 if ddof is None else ddof))
    return found if m.shape[0] > 1 else found[0, 0]


def corrcoef(x: ArrayLike, y: ArrayLike = None, rowvar: bool = True) -> Any:
    x = asarray(x) if y is None else array([asarray(x), asarray(y)])
    c = cov(x, rowvar=rowvar)
    d = array([c[i, i] ** 0.5 for i in range(c.shape[0])])
    return c / (d.reshape(-1, 1) * d.reshape(1, -1))


def polyfit(x: ArrayLike, y: ArrayLike, deg: Any, **_: Any) -> ndarray:
    xs, ys, n = asarray(x).read(), asarray(y).read(), deg + 1
    rows = [
        [math.fsum(v ** (i + j) for v in xs) for j in range(n)] + [math.fsum(w * v**i for v, w in zip(xs, ys))]
        for i in range(n)
    ]
    from .linalg import solved

    return array(list(reversed(solved([r[:-1] for r in rows], [[r[-1]] for r in rows]))), dtype=float).reshape(-1)


def polyval(p: Any, x: ArrayLike) -> Any:
    total = 0
    for c in asarray(p).read():
        total = total * asarray(x) + c
    return total


def _window(M, *terms):
    if M == 1:
        return ones(1)
    return array(
        [math.fsum(c * math.cos(2 * math.pi * k * i / (M - 1)) for k, c in enumerate(terms)) for i in range(M)]
    )


def hanning(M: Any) -> Any:
    return _window(M, 0.5, -0.5)


def hamming(M: Any) -> Any:
    return _window(M, 0.54, -0.46)


def blackman(M: Any) -> Any:
    return _window(M, 0.42, -0.5, 0.08)


def bartlett(M: int) -> Any:
    return array([1 - abs(2 * i / (M - 1) - 1) for i in range(M)]) if M > 1 else ones(1)


def logspace(
    start: int, stop: int, num: int = 50, endpoint: bool = True, base: float = 10.0, dtype: DTypeLike = None
) -> Any:
    return elementwise(lambda v: base**v, linspace(start, stop, num, endpoint), kind=dtype or "float64")


def geomspace(start: int, stop: int, num: int = 50, endpoint: bool = True, dtype: DTypeLike = None) -> Any:
    return logspace(math.log10(start), math.log10(stop), num, endpoint, dtype=dtype)


def select(condlist: Any, choicelist: Any, default: int = 0) -> Any:
    found = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        found = where(condition, choice, found)
    return found


def piecewise(x: ArrayLike, condlist: Any, funclist: Any) -> Any:
    return select(
        condlist, [f(x) if callable(f) else f for f in funclist], funclist[-1] if len(funclist) > len(condlist) else 0
    )


def extract(condition: ArrayLike, arr: ArrayLike) -> Any:
    return asarray(arr)[asarray(condition)]


def unwrap(p: Any, **_: Any) -> Any:
    return asarray(p)
