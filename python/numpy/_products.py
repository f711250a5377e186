"""Repeating, triangles, grids, products of matrices, and comparing arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._array import MOST_VALUES, broadcast, cast, count, expand, ndarray, scalar
from ._dtypes import result_type
from ._make import asarray, tri
from ._math import absolute, multiply, subtract
from ._reduce import _all, _total

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike


def tile(a: ArrayLike, reps: Any) -> Any:
    a = asarray(a)
    reps = (reps,) if isinstance(reps, int) else tuple(reps)
    a = a.reshape((1,) * (len(reps) - a.ndim) + a.shape)
    reps = (1,) * (a.ndim - len(reps)) + reps
    return a.take_places([s * r for s, r in zip(a.shape, reps)], lambda p: tuple(i % s for i, s in zip(p, a.shape)))


def repeat(a: ArrayLike, repeats: Any, axis: int | None = None) -> Any:
    a = asarray(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis %= a.ndim
    shape = [s * repeats if i == axis else s for i, s in enumerate(a.shape)]
    return a.take_places(shape, lambda p: tuple(x // repeats if i == axis else x for i, x in enumerate(p)))


def tril(m: ArrayLike, k: int = 0) -> Any:
    m = asarray(m)
    return m * tri(*m.shape[-2:], lambda i, j: j <= i + k, m.dtype)


def triu(m: ArrayLike, k: int = 0) -> Any:
    m = asarray(m)
    return m * tri(*m.shape[-2:], lambda i, j: j >= i + k, m.dtype)


def meshgrid(*arrays: Any, indexing: str = "xy") -> list:
    arrays = [asarray(a) for a in arrays]
    order = [1, 0, *range(2, len(arrays))] if indexing == "xy" and len(arrays) > 1 else list(range(len(arrays)))
    shape = [arrays[i].size for i in order]
    return [a.take_places(shape, lambda p, at=order.index(i): (p[at],)) for i, a in enumerate(arrays)]


def matmul(a: ArrayLike, b: ArrayLike) -> Any:
    """Products of vectors and matrices, with leading dimensions broadcast."""
    a, b = asarray(a), asarray(b)
    left, right = a.ndim == 1, b.ndim == 1
    x = a.reshape(1, -1) if left else a
    y = b.reshape(-1, 1) if right else b
    if x.shape[-1] != y.shape[-2]:
        raise ValueError(
            f"matmul: Input operand 1 has a mismatch in its core dimension 0 (size {y.shape[-2]} is different from {x.shape[-1]})"
        )
    outer = broadcast(x.shape[:-2], y.shape[:-2])
    rows, inner, columns = x.shape[-2], x.shape[-1], y.shape[-1]
    kind = result_type(a.dtype, b.dtype)
    made = ndarray((*outer, rows, columns), kind)
    if count(outer) * rows * inner * columns <= 16 * MOST_VALUES:
        xs, ys = expand(x, (*outer, rows, inner)), expand(y, (*outer, inner, columns))
        if xs is not None and ys is not None:
            values = []
            for n in range(count(outer)):
                p, q = n * rows * inner, n * inner * columns
                for i in range(rows):
                    row = xs[p + i * inner : p + (i + 1) * inner]
                    values.extend(
                        cast(_total(u * v for u, v in zip(row, ys[q + j : q + inner * columns : columns])), kind)
                        for j in range(columns)
                    )
            made = ndarray(made.shape, kind, values)
    shape = [*outer, *([] if left else [rows]), *([] if right else [columns])]
    return made.reshape(shape) if shape else scalar(made.read()[0], kind)


def dot(a: ArrayLike, b: ArrayLike) -> Any:
    a, b = asarray(a), asarray(b)
    return multiply(a, b) if not (a.ndim and b.ndim) else matmul(a, b)


def outer(a: ArrayLike, b: ArrayLike) -> Any:
    return asarray(a).reshape(-1, 1) * asarray(b).reshape(1, -1)


def allclose(a: ArrayLike, b: ArrayLike, rtol: float = 1e-5, atol: float = 1e-8, **kwargs: Any) -> bool:
    return bool(_all(absolute(subtract(a, b)) <= atol + rtol * absolute(asarray(b))))


def array_equal(a: ArrayLike, b: ArrayLike) -> Any:
    a, b = asarray(a), asarray(b)
    return a.shape == b.shape and bool(_all(a == b))
