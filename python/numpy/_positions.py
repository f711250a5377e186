"""Values taken or put by position, and grids of positions."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from ._array import MOST_VALUES, cast, count, is_whole, ndarray
from ._make import asarray, concatenate, expand_dims, zeros
from ._arrange import atleast_1d, broadcast_arrays, broadcast_to, column_stack

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy.typing import ArrayLike, DTypeLike


def take(a: ArrayLike, indices: ArrayLike, axis: int | None = None, mode: str = "raise") -> Any:
    a = asarray(a)
    if axis is None:
        return a.reshape(-1)[asarray(indices)]
    return a[(*(slice(None),) * (axis % a.ndim), asarray(indices))]


def take_along_axis(arr: ArrayLike, indices: ArrayLike, axis: int | None) -> Any:
    arr, indices = asarray(arr), asarray(indices)
    if arr._values is None or indices._values is None:
        return ndarray(indices.shape, arr.dtype)
    axis %= arr.ndim
    steps, flat = indices.strides_in_values(), indices._values

    def place(p):
        at = flat[sum(i * s for i, s in zip(p, steps))] % arr.shape[axis]
        return (*p[:axis], at, *p[axis + 1 :])

    return arr.take_places(indices.shape, place)


def put_along_axis(arr: ArrayLike, indices: ArrayLike, values: ArrayLike, axis: int | None) -> None:
    indices = asarray(indices)
    values = broadcast_to(values, indices.shape)
    if arr._values is None or indices._values is None or values._values is None:
        return
    axis %= arr.ndim
    steps = arr.strides_in_values()
    for p, at, value in zip(product(*map(range, indices.shape)), indices._values, values._values):
        where = (*p[:axis], at % arr.shape[axis], *p[axis + 1 :])
        arr.writable()[sum(i * s for i, s in zip(where, steps))] = cast(value, arr.dtype)


def copyto(dst: ndarray, src: Any, casting: str = "same_kind", where: ArrayLike = True) -> None:
    if where is True:
        dst[...] = src
    else:
        dst[asarray(where)] = asarray(src) if asarray(src).ndim == 0 else broadcast_to(src, dst.shape)[asarray(where)]


def unravel_index(indices: ArrayLike, shape: int | Sequence[int]) -> tuple:
    indices, found = asarray(indices), []
    rest = indices
    for size in reversed(tuple(shape)):
        found.append(rest % size)
        rest = rest // size
    return tuple(reversed(found))


def ravel_multi_index(multi_index: Any, dims: Any) -> Any:
    total = 0
    for index, size in zip(multi_index, dims):
        total = asarray(index) + size * total
    return total


def indices(dimensions: Any, dtype: DTypeLike = int) -> Any:
    shape = tuple(dimensions)
    base = ndarray(shape, "int64", list(range(count(shape))) if count(shape) <= MOST_VALUES else None)
    return concatenate([expand_dims(part.astype(dtype), 0) for part in unravel_index(base, shape)], 0)


class _Grid:
    """np.mgrid and np.ogrid: grids by slices."""

    def __init__(self, dense: Any) -> None:
        self._dense = dense

    def __getitem__(self, key: Any) -> Any:
        from ._make import arange, linspace

        keys = key if isinstance(key, tuple) else (key,)
        lines = []
        for k in keys:
            start, step = k.start or 0, 1 if k.step is None else k.step
            lines.append(
                linspace(start, k.stop, int(abs(step))) if isinstance(step, complex) else arange(start, k.stop, step)
            )
        if not isinstance(key, tuple):
            return lines[0]
        parts = [line.reshape([-1 if i == j else 1 for j in range(len(lines))]) for i, line in enumerate(lines)]
        return concatenate([expand_dims(p, 0) for p in broadcast_arrays(*parts)], 0) if self._dense else parts


mgrid, ogrid = _Grid(True), _Grid(False)


class _Joined:
    """np.r_ and np.c_: slices and arrays one after another."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns

    def __getitem__(self, key: Any) -> Any:
        from ._make import arange

        parts = [
            arange(k.start or 0, k.stop, k.step or 1) if isinstance(k, slice) else atleast_1d(k)
            for k in (key if isinstance(key, tuple) else (key,))
        ]
        return column_stack(parts) if self._columns else concatenate(parts, 0)


r_, c_ = _Joined(False), _Joined(True)


class _Index:
    def __getitem__(self, key: Any) -> Any:
        return key if isinstance(key, tuple) else (key,)


class _Slices:
    def __getitem__(self, key: Any) -> Any:
        return key


index_exp, s_ = _Index(), _Slices()


def ix_(*sequences: Any) -> tuple:
    return tuple(
        asarray(s).reshape([-1 if i == j else 1 for j in range(len(sequences))]) for i, s in enumerate(sequences)
    )


def ndindex(*shape: Any) -> Any:
    shape = shape[0] if len(shape) == 1 and not is_whole(shape[0]) else shape
    return product(*map(range, shape))


def ndenumerate(a: ArrayLike) -> Any:
    a = asarray(a)
    return zip(product(*map(range, a.shape)), a.read())


def nditer(a: ArrayLike, *_: Any, **__: Any) -> Any:
    return iter(asarray(a).reshape(-1))


def argwhere(a: ArrayLike) -> Any:
    found = asarray(a).nonzero()
    return concatenate([f.reshape(-1, 1) for f in found], 1) if found else zeros((0, 0), int)


def fromfunction(function: Callable, shape: int | Sequence[int], dtype: DTypeLike = float, **kwargs: Any) -> Any:
    return function(*indices(shape, dtype), **kwargs)
