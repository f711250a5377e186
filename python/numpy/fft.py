"""numpy.fft: discrete transforms of small arrays, by the sum that defines them; larger ones give shapes."""

from __future__ import annotations

import cmath
from typing import TYPE_CHECKING

from ._array import ndarray
from ._make import array, asarray
from ._arrange import roll
from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import ArrayLike


__getattr__ = lacks("numpy.fft")
MOST = 512


def _transformed(a, n, axis, sign):
    a = asarray(a)
    axis %= a.ndim
    n = a.shape[axis] if n is None else n
    shape = (*a.shape[:axis], n, *a.shape[axis + 1 :])
    if a._values is None or n > MOST or a.ndim > 1:
        note("numpy_placeholder", "op", "numpy.fft")
        return ndarray(shape, "complex128")
    values = (a.tolist() + [0] * n)[:n]
    turn = sign * 2j * cmath.pi / n
    found = [sum(v * cmath.exp(turn * k * i) for i, v in enumerate(values)) / (n if sign > 0 else 1) for k in range(n)]
    return array(found, dtype="complex128")


def fft(a: ArrayLike, n: int | None = None, axis: int | None = -1, norm: Any = None) -> Any:
    return _transformed(a, n, axis, -1)


def ifft(a: ArrayLike, n: int | None = None, axis: int | None = -1, norm: Any = None) -> Any:
    return _transformed(a, n, axis, 1)


def rfft(a: ArrayLike, n: int | None = None, axis: int | None = -1, norm: Any = None) -> Any:
    whole = fft(a, n, axis)
    return whole[(*(slice(None),) * (axis % whole.ndim), slice(0, whole.shape[axis] // 2 + 1))]


def irfft(a: ArrayLike, n: int | None = None, axis: int | None = -1, norm: Any = None) -> Any:
    a = asarray(a)
    n = 2 * (a.shape[axis] - 1) if n is None else n
    shape = [*a.shape]
    shape[axis] = n
    return ndarray(shape, "float64")


def fft2(a: ArrayLike, s: Any = None, axes: Sequence[int] | None = (-2, -1), norm: Any = None) -> Any:
    return ndarray(asarray(a).shape, "complex128")


ifft2 = fftn = ifftn = fft2


def fftfreq(n: int, d: float = 1.0) -> Any:
    return array([(i if i < (n + 1) // 2 else i - n) / (n * d) for i in range(n)])


def rfftfreq(n: int, d: float = 1.0) -> Any:
    return array([i / (n * d) for i in range(n // 2 + 1)])


def fftshift(x: ArrayLike, axes: Sequence[int] | None = None) -> Any:
    x = asarray(x)
    axes = range(x.ndim) if axes is None else (axes,) if isinstance(axes, int) else axes
    for axis in axes:
        x = roll(x, x.shape[axis] // 2, axis)
    return x


def ifftshift(x: ArrayLike, axes: Sequence[int] | None = None) -> Any:
    x = asarray(x)
    axes = range(x.ndim) if axes is None else (axes,) if isinstance(axes, int) else axes
    for axis in axes:
        x = roll(x, -(x.shape[axis] // 2), axis)
    return x
