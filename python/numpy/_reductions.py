"""What universal functions have beside the call: reduce, accumulate, outer, at, reduceat, and the keywords out and where."""

from __future__ import annotations

from itertools import accumulate as _running
from typing import TYPE_CHECKING

from ._array import cast, ndarray
from ._arrange import apply_along_axis, broadcast_to
from ._make import arange, asarray, concatenate

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import ArrayLike


def at(function: Callable, a: ndarray, indices: Any, b: ArrayLike = None) -> None:
    """`function` into the positions of `indices` one after another, so that one that comes twice counts twice."""
    where = asarray(arange(a.size).reshape(a.shape)[indices])
    if a._values is None or where._values is None:
        return
    values = a.writable()
    others = [()] * where.size if b is None else [(v,) for v in broadcast_to(asarray(b), where.shape).read()]
    for position, more in zip(where.read(), others):
        values[position] = cast(function(values[position], *more), a.dtype)
    a._write_through()


def reduced(call: Callable) -> Callable:
    """`call` between the slices along an axis; the first by default."""

    def reduce(a: ArrayLike, axis: int | None = 0, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        a = asarray(a) if dtype is None else asarray(a).astype(dtype)
        flat = a.reshape(-1) if axis is None else a
        along = 0 if axis is None else axis % a.ndim
        parts = [flat[(*[slice(None)] * along, i)] for i in range(flat.shape[along])]
        if not parts:
            raise ValueError("zero-size array to reduction operation which has no identity")
        found = parts[0]
        for part in parts[1:]:
            found = call(found, part)
        if keepdims:
            shape = [1] * a.ndim if axis is None else [1 if i == along else s for i, s in enumerate(a.shape)]
            return asarray(found).reshape(shape)
        return found

    return reduce


def accumulated(call: Callable) -> Callable:
    def accumulate(array: ArrayLike, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        function = call.function
        kind = asarray(call(asarray(array).reshape(-1)[:1], asarray(array).reshape(-1)[:1])).dtype
        return apply_along_axis(lambda row: asarray(list(_running(row.read(), function)), kind), axis, asarray(array))

    return accumulate


def reduced_at(call: Callable) -> Callable:
    def reduceat(array: ArrayLike, indices: ArrayLike, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        array, starts = asarray(array), [int(i) for i in asarray(indices).read()]
        ends = [*starts[1:], array.shape[axis]]
        around = (slice(None),) * (axis % array.ndim)
        reduce = reduced(call)
        parts = [
            reduce(array[(*around, slice(s, e if e > s else s + 1))], axis, keepdims=True) for s, e in zip(starts, ends)
        ]
        return concatenate(parts, axis)

    return reduceat


def into(made: Any, out: Any, where: Any = True) -> Any:
    """What a function made, written into `out` where `where` is true."""
    out = out[0] if isinstance(out, tuple) else out
    if out is None:
        return made
    if where is True:
        out[...] = asarray(made)
    else:
        kept = broadcast_to(asarray(where), out.shape)
        out[kept] = broadcast_to(asarray(made), out.shape)[kept]
    return out
