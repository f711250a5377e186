"""Arranging arrays: rolled, padded, turned, joined, broadcast, and values taken or put by position."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

from ._array import MOST_VALUES, broadcast, count, expand, is_whole, ndarray
from ._make import array, asarray, concatenate, expand_dims, full, zeros
from ._reduce import argsort, flip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy.typing import ArrayLike, DTypeLike


def atleast_1d(*arrays: Any) -> Any:
    found = [a if a.ndim else a.reshape(1) for a in map(asarray, arrays)]
    return found[0] if len(found) == 1 else found


def atleast_2d(*arrays: Any) -> Any:
    found = [a if a.ndim > 1 else a.reshape(1, -1) for a in map(asarray, arrays)]
    return found[0] if len(found) == 1 else found


def atleast_3d(*arrays: Any) -> Any:
    found = [
        a if a.ndim > 2 else a.reshape(1, -1, 1) if a.ndim < 2 else a.reshape(*a.shape, 1) for a in map(asarray, arrays)
    ]
    return found[0] if len(found) == 1 else found


def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> Any:
    if axis is None:
        return concatenate([asarray(arr).reshape(-1), asarray(values).reshape(-1)])
    return concatenate([arr, values], axis)


def column_stack(arrays: Sequence[ArrayLike]) -> Any:
    return concatenate([a.reshape(-1, 1) if a.ndim < 2 else a for a in map(asarray, arrays)], 1)


def dstack(arrays: Sequence[ArrayLike]) -> Any:
    return concatenate([atleast_3d(a) for a in arrays], 2)


def block(arrays: Sequence[ArrayLike]) -> Any:
    def joined(part, depth):
        return (
            asarray(part) if not isinstance(part, list) else concatenate([joined(p, depth - 1) for p in part], -depth)
        )

    depth, inner = 0, arrays
    while isinstance(inner, list):
        depth, inner = depth + 1, inner[0]
    return joined(arrays, depth)


def moveaxis(a: ArrayLike, source: str, destination: Any) -> ndarray:
    a = asarray(a)
    from_, to = ([x % a.ndim for x in ((v,) if is_whole(v) else v)] for v in (source, destination))
    order = [i for i in range(a.ndim) if i not in from_]
    for place, axis in sorted(zip(to, from_)):
        order.insert(place, axis)
    return a.transpose(order)


def rollaxis(a: ArrayLike, axis: int | None, start: int = 0) -> ndarray:
    a = asarray(a)
    axis, start = axis % a.ndim, start if start >= 0 else start + a.ndim
    return moveaxis(a, axis, start - 1 if axis < start else start)


def roll(a: ArrayLike, shift: Any, axis: int | None = None) -> Any:
    a = asarray(a)
    if axis is None:
        return roll(a.reshape(-1), shift, 0).reshape(a.shape)
    shifts, axes = (((v,) if is_whole(v) else tuple(v)) for v in (shift, axis))
    by = {}
    for s, x in zip(shifts * (len(axes) if len(shifts) == 1 else 1), axes * (len(shifts) if len(axes) == 1 else 1)):
        by[x % a.ndim] = by.get(x % a.ndim, 0) + int(s)
    return a.take_places(a.shape, lambda p: tuple((x - by.get(i, 0)) % a.shape[i] for i, x in enumerate(p)))


def fliplr(m: ArrayLike) -> Any:
    return flip(m, 1)


def flipud(m: ArrayLike) -> Any:
    return flip(m, 0)


def rot90(m: ArrayLike, k: int = 1, axes: Sequence[int] | None = (0, 1)) -> Any:
    m, k = asarray(m), k % 4
    first, second = axes
    if k == 2:
        return flip(flip(m, first), second)
    if k == 0:
        return m.copy()
    return flip(m.swapaxes(first, second), first) if k == 1 else flip(m, first).swapaxes(first, second)


def broadcast_to(a: ArrayLike, shape: int | Sequence[int], subok: bool = False) -> Any:
    a, shape = asarray(a), (int(shape),) if is_whole(shape) else tuple(shape)
    if broadcast(a.shape, shape) != shape:
        raise ValueError(
            f"operands could not be broadcast together with remapped shapes {a.shape} and requested shape {shape}"
        )
    return ndarray(shape, a.dtype, expand(a, shape))


def broadcast_arrays(*arrays: Any) -> list:
    arrays = [asarray(a) for a in arrays]
    shape = broadcast(*(a.shape for a in arrays))
    return [broadcast_to(a, shape) for a in arrays]


def broadcast_shapes(*shapes: Any) -> tuple:
    return broadcast(*[(s,) if is_whole(s) else tuple(s) for s in shapes])


def pad(a: ArrayLike, pad_width: Any, mode: str = "constant", constant_values: int = 0, **_: Any) -> Any:
    """Padded by a value, by the edge, or by reflection."""
    a = asarray(a)
    widths = array(pad_width).tolist() if not is_whole(pad_width) else int(pad_width)
    if isinstance(widths, int):
        widths = [[widths, widths]] * a.ndim
    elif isinstance(widths[0], int):
        widths = [widths * (2 if len(widths) == 1 else 1)] * a.ndim
    elif len(widths) == 1:
        widths = widths * a.ndim
    shape = [s + lo + hi for s, (lo, hi) in zip(a.shape, widths)]
    if mode == "constant" and a._values is not None and count(shape) <= MOST_VALUES:
        made = full(
            shape,
            constant_values if not isinstance(constant_values, (tuple, list)) else asarray(constant_values).read()[0],
            a.dtype,
        )
        made[tuple(slice(lo, lo + s) for s, (lo, _) in zip(a.shape, widths))] = a
        return made

    def place(index):
        found = []
        for x, n, (lo, _) in zip(index, a.shape, widths):
            x -= lo
            if mode in ("reflect", "symmetric") and n > 1:
                period = 2 * (n - 1) if mode == "reflect" else 2 * n
                x %= period
                x = x if x < n else period - x - (0 if mode == "reflect" else 1)
            elif mode == "wrap":
                x %= n
            found.append(min(max(x, 0), n - 1))
        return tuple(found)

    return a.take_places(shape, place)


def diag(v: ArrayLike, k: int = 0) -> Any:
    v = asarray(v)
    if v.ndim != 1:
        return diagonal(v, k)
    n = len(v) + abs(k)
    made = zeros((n, n), v.dtype)
    if v._values is not None and made._values is not None:
        written = made.writable()
        for i, x in enumerate(v._values):
            written[(i + max(-k, 0)) * n + i + max(k, 0)] = x
    return made


def diagflat(v: ArrayLike, k: int = 0) -> Any:
    return diag(asarray(v).reshape(-1), k)


def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    a = moveaxis(asarray(a), (axis1, axis2), (-2, -1))
    rows, columns = a.shape[-2:]
    n = max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
    return a.take_places([*a.shape[:-2], n], lambda p: (*p[:-1], p[-1] + max(-offset, 0), p[-1] + max(offset, 0)))


def trace(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike = None) -> Any:
    return diagonal(a, offset, axis1, axis2).sum(-1)


def insert(arr: ArrayLike, obj: ArrayLike, values: ArrayLike, axis: int | None = None) -> Any:
    arr = asarray(arr)
    if axis is None:
        arr, axis = arr.reshape(-1), 0
    ahead, at = (slice(None),) * (axis % arr.ndim), int(obj) % (arr.shape[axis] + 1)
    middle = asarray(values)
    shape = [*arr.shape]
    shape[axis] = 1 if middle.ndim < arr.ndim else middle.shape[axis]
    return concatenate(
        [arr[(*ahead, slice(0, at))], broadcast_to(middle, tuple(shape)), arr[(*ahead, slice(at, None))]], axis
    )


def delete(arr: ArrayLike, obj: ArrayLike, axis: int | None = None) -> Any:
    arr = asarray(arr)
    if axis is None:
        arr, axis = arr.reshape(-1), 0
    n = arr.shape[axis]
    gone = {
        x % n
        for x in (
            range(*obj.indices(n)) if isinstance(obj, slice) else [int(i) for i in asarray(obj).reshape(-1).read()]
        )
    }
    kept = [i for i in range(n) if i not in gone]
    ahead = (slice(None),) * (axis % arr.ndim)
    return arr[(*ahead, array(kept, dtype="int64"))]


def resize(a: ArrayLike, new_shape: Any) -> Any:
    a, shape = asarray(a).reshape(-1), (int(new_shape),) if is_whole(new_shape) else tuple(new_shape)
    values = None
    if a._values is not None and count(shape) <= MOST_VALUES:
        values = [a._values[i % a.size] for i in range(count(shape))] if a.size else [0] * count(shape)
    return ndarray(shape, a.dtype, values)


def argpartition(a: ArrayLike, kth: Any, axis: int | None = -1, **_: Any) -> Any:
    return argsort(a, axis)


def partition(a: ArrayLike, kth: Any, axis: int | None = -1, **_: Any) -> Any:
    from ._reduce import sort

    return sort(a, axis)


def lexsort(keys: Any, axis: int | None = -1) -> Any:
    lists = [asarray(k).read() for k in keys]
    order = sorted(range(len(lists[0])), key=lambda i: tuple(part[i] for part in reversed(lists)))
    return array(order, dtype="int64")


def apply_along_axis(func1d: Callable, axis: int | None, arr: ArrayLike, *args: Any, **kwargs: Any) -> ndarray:
    arr = moveaxis(asarray(arr), axis, -1)
    rows = [asarray(func1d(arr[p], *args, **kwargs)) for p in product(*map(range, arr.shape[:-1]))]
    made = concatenate([expand_dims(r, 0) for r in rows], 0).reshape((*arr.shape[:-1], *rows[0].shape))
    return moveaxis(made, -1, axis) if rows[0].ndim else made


def vectorize(pyfunc: Callable, otypes: Any = None, **_: Any) -> Any:
    def call(*args):
        arrays = broadcast_arrays(*args)
        values = [pyfunc(*v) for v in zip(*(a.read() for a in arrays))]
        return array(values).reshape(arrays[0].shape)

    return call


def fromiter(iter: Any, dtype: DTypeLike, count: int = -1) -> Any:
    found = list(iter)
    return array(found if count < 0 else found[:count], dtype=dtype)


def gcd(a: ArrayLike, b: ArrayLike) -> Any:
    from ._math import elementwise

    return elementwise(math.gcd, a, b)


def lcm(a: ArrayLike, b: ArrayLike) -> Any:
    from ._math import elementwise

    return elementwise(math.lcm, a, b)
