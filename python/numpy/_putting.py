"""Values put into an array or picked out of it by a mask or by numbers, and arrays taken apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._array import ndarray
from ._arrange import broadcast_arrays, moveaxis
from ._make import arange, array_split, asarray, concatenate, stack
from ._positions import take, take_along_axis
from ._reduce import diff

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy.typing import ArrayLike


def flatnonzero(a: ArrayLike) -> Any:
    return asarray(a).reshape(-1).nonzero()[0]


def put(a: ndarray, ind: ArrayLike, v: ArrayLike, mode: str = "raise") -> None:
    where, values = asarray(ind).reshape(-1), asarray(v).reshape(-1)
    flat = a.reshape(-1)
    flat[where] = values[arange(len(where)) % len(values)]
    a[...] = flat.reshape(a.shape)


def place(arr: ndarray, mask: ArrayLike, vals: ArrayLike) -> None:
    """The values in their order where the mask is true, again from the first when they run out."""
    put(arr, flatnonzero(mask), vals)


def putmask(a: ndarray, mask: ArrayLike, values: ArrayLike) -> None:
    """Each value at its own position where the mask is true."""
    where, values = flatnonzero(mask), asarray(values).reshape(-1)
    put(a, where, values[where % len(values)])


def choose(a: ArrayLike, choices: Sequence[ArrayLike], out: Any = None, mode: str = "raise") -> Any:
    index, *parts = broadcast_arrays(a, *choices)
    return take_along_axis(stack(parts, 0), index.reshape(1, *index.shape), 0)[0]


def compress(condition: ArrayLike, a: ArrayLike, axis: int | None = None, out: Any = None) -> Any:
    return take(a, flatnonzero(condition), axis)


def trim_zeros(filt: ArrayLike, trim: str = "fb", axis: Any = None) -> Any:
    kept = asarray(filt).tolist()
    first = next((i for i, v in enumerate(kept) if v), len(kept)) if "f" in trim.lower() else 0
    last = next((i for i, v in enumerate(reversed(kept)) if v), len(kept)) if "b" in trim.lower() else 0
    return filt[first : max(first, len(kept) - last)]


def ediff1d(ary: ArrayLike, to_end: ArrayLike = None, to_begin: ArrayLike = None) -> Any:
    parts = [to_begin, diff(asarray(ary).reshape(-1)), to_end]
    return concatenate([asarray(p).reshape(-1) for p in parts if p is not None])


def vsplit(ary: ArrayLike, indices_or_sections: Any) -> list:
    return array_split(ary, indices_or_sections, 0)


def hsplit(ary: ArrayLike, indices_or_sections: Any) -> list:
    return array_split(ary, indices_or_sections, 1 if asarray(ary).ndim > 1 else 0)


def dsplit(ary: ArrayLike, indices_or_sections: Any) -> list:
    return array_split(ary, indices_or_sections, 2)


def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple:
    return tuple(moveaxis(x, axis, 0))


def apply_over_axes(func: Callable, a: ArrayLike, axes: Any) -> Any:
    found = asarray(a)
    for axis in (axes,) if isinstance(axes, int) else axes:
        made = asarray(func(found, axis))
        found = made if made.ndim == found.ndim else made.reshape([*found.shape[:axis], 1, *found.shape[axis + 1 :]])
    return found
