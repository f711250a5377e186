"""Taking and setting parts of an array: numbers, slices, None, ..., masks and arrays of numbers."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from ._array import MOST_VALUES, broadcast, cast, count, expand, is_whole, missing, ndarray, scalar
from ._make import asarray
from ._uniform import Uniform, strided

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike


def _is_many(part):
    return isinstance(part, (list, range, ndarray)) or (hasattr(part, "__array__") and getattr(part, "ndim", 0))


def _numbers(part, size):
    """The places that a mask or a list of places names, as an array of places."""
    part = asarray(list(part) if isinstance(part, range) else part)
    if part.dtype.kind == "b":
        if part.shape != (size,):
            raise IndexError(f"boolean index did not match indexed array: its length is {part.shape}, not {size}")
        found = [i for i, v in enumerate(part.read()) if v]
        return ndarray((len(found),), int, found)
    if part.dtype.kind not in "iu" and part.size:
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if part._values is not None:
        part = ndarray(part.shape, int, [_place(v, size) for v in part._values])
    return part


def _place(i, size):
    i = int(i)
    if not -size <= i < size:
        raise IndexError(f"index {i} is out of bounds for axis 0 with size {size}")
    return i % size


def _normal(array, index):
    """One entry per dimension: a place, a range, an array of places; and None for new ones."""
    index = index if isinstance(index, tuple) else (index,)
    used = sum(1 for i in index if i is not None and i is not Ellipsis)
    if used > array.ndim:
        raise IndexError(f"too many indices for array: array is {array.ndim}-dimensional, but {used} were indexed")
    at = next((n for n, i in enumerate(index) if i is Ellipsis), len(index))
    rest = (slice(None),) * (array.ndim - used)
    index = (*index[:at], *rest, *index[at + 1 :])
    result, dim = [], 0
    for part in index:
        if part is None:
            result.append(None)
            continue
        size = array.shape[dim]
        if isinstance(part, slice):
            result.append(range(*part.indices(size)))
        elif _is_many(part):
            result.append(_numbers(part, size))
        else:
            result.append(
                _place(part.__index__() if is_whole(part) else missing(f"an index of type {type(part).__name__}"), size)
            )
        dim += 1
    return result


def _steps(array, parts):
    """(shape, first place, steps) of places and ranges, in the flat array."""
    shape, start, steps, own = [], 0, [], iter(array.strides_in_values())
    for part in parts:
        if part is None:
            shape.append(1)
            steps.append(0)
            continue
        step = next(own)
        if isinstance(part, int):
            start += part * step
            continue
        shape.append(len(part))
        steps.append(part.step * step)
        start += part.start * step if len(part) else 0
    return shape, start, steps


def _plan(array, parts, many):
    """(shape, place of ours for each place of the result), where arrays of places are among the parts."""
    together = broadcast(*(p.shape for p in many))
    spread = [expand(p, together) for p in many]
    first = next(n for n, p in enumerate(parts) if isinstance(p, ndarray))
    before = [1 if p is None else len(p) for p in parts[:first] if not isinstance(p, int)]
    after = [1 if p is None else len(p) for p in parts[first:] if isinstance(p, range) or p is None]
    shape = [*before, *together, *after]
    steps = [count(together[i + 1 :]) for i in range(len(together))]

    def place_of(place):
        outer, middle, inner = (
            place[: len(before)],
            place[len(before) : len(before) + len(together)],
            place[len(before) + len(together) :],
        )
        at = sum(i * s for i, s in zip(middle, steps))
        plain, chosen, found = iter((*outer, *inner)), iter(spread), []
        for p in parts:
            if p is None:
                next(plain)
            elif isinstance(p, int):
                found.append(p)
            elif isinstance(p, ndarray):
                values = next(chosen)
                found.append(values[at] if values is not None else 0)
            else:
                found.append(p[next(plain)])
        return found

    return shape, place_of


def _mask(array, index):
    """A mask of the array's own shape names places in the flat array."""
    if isinstance(index, ndarray) and index.dtype.kind == "b" and index.ndim > 1:
        if index.shape != array.shape:
            raise IndexError("boolean index did not match indexed array")
        values = index.read()
        return (
            [] if index._values is None else [i for i, v in enumerate(values) if v]
        )  # what nobody knows reads as zeros
    return None


def getitem(array: ArrayLike, index: int) -> Any:
    positions = _mask(array, index)
    if positions is not None:
        values = None if array._values is None else [array._values[i] for i in positions]
        return ndarray((len(positions),), array.dtype, values)
    if array.ndim == 1 and type(index) is int and array._values is not None:
        return scalar(array._values[_place(index, len(array))], array.dtype)
    parts = _normal(array, index)
    many = [p for p in parts if isinstance(p, ndarray)]
    shape, *where = _plan(array, parts, many) if many else _steps(array, parts)
    taken = array.take_places(shape, *where) if many else array.take_steps(shape, *where)
    if not shape and not isinstance(index, type(Ellipsis)):
        return scalar(taken.read()[0], array.dtype)
    taken._is_lost = array._is_lost and taken._values is None and taken.size <= array.size
    if array._values is not None and not any(_is_many(i) for i in (index if isinstance(index, tuple) else (index,))):
        taken._origin = (array, index)  # NumPy gives a view: what is written into it goes through
    return taken


def setitem(array: ArrayLike, index: int, value: ArrayLike) -> None:
    _set(array, index, value)
    array._write_through()


def _set(array, index, value):
    value = asarray(value)
    positions = _mask(array, index)
    if array._values is None:
        return
    if positions is None:
        parts = _normal(array, index)
        many = [p for p in parts if isinstance(p, ndarray)]
        if many:
            shape, place_of = _plan(array, parts, many)
            steps = array.strides_in_values()
            positions = [sum(i * s for i, s in zip(place_of(p), steps)) for p in product(*map(range, shape))]
        else:
            shape, *where = _steps(array, parts)
            positions = strided(range(array.size), shape, *where)
    else:
        shape = (len(positions),)
    if value.ndim > len(shape):
        value = value.reshape(value.shape[-len(shape) :] if shape else ())
    values = expand(value, tuple(shape)) if count(shape) <= MOST_VALUES else None
    if broadcast(value.shape, tuple(shape)) != tuple(shape):
        raise ValueError(f"could not broadcast input array from shape {value.shape} into shape {tuple(shape)}")
    if values is None:
        array._values = None
        return
    if len(positions) == array.size and type(values) is Uniform:
        array._values = Uniform(cast(values.value, array.dtype), array.size)
        return
    written = array.writable()
    for at, v in zip(positions, values):
        written[at] = cast(v, array.dtype)


ndarray.__getitem__ = getitem
ndarray.__setitem__ = setitem
