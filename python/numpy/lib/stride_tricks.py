"""numpy.lib.stride_tricks: windows over an array, as copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy import asarray, broadcast_to
from numpy._array import ndarray

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import ArrayLike


__all__ = ["as_strided", "broadcast_to", "sliding_window_view"]


def sliding_window_view(x: ArrayLike, window_shape: Any, axis: int | None = None, **_: Any) -> Any:
    x = asarray(x)
    sizes = (window_shape,) if isinstance(window_shape, int) else tuple(window_shape)
    axes = tuple(range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    axes = [a % x.ndim for a in axes]
    outer = list(x.shape)
    for a, size in zip(axes, sizes):
        outer[a] -= size - 1

    def place(p):
        at = list(p[: x.ndim])
        for a, extra in zip(axes, p[x.ndim :]):
            at[a] += extra
        return tuple(at)

    return x.take_places([*outer, *sizes], place)


def as_strided(x: ArrayLike, shape: int | Sequence[int] | None = None, strides: Any = None, **_: Any) -> Any:
    x = asarray(x)
    if x._values is None:
        return ndarray(x.shape if shape is None else shape, x.dtype)
    steps = [s // x.itemsize for s in strides]
    sizes = x.strides_in_values()

    def place(p):
        flat, found = sum(i * s for i, s in zip(p, steps)), []
        for size in sizes:
            found.append(flat // size)
            flat %= size
        return tuple(found)

    return x.take_places(shape, place)
