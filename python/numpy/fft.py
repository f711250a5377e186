"""numpy.fft: discrete transforms of small arrays, by the sum that defines them; larger ones give shapes."""

import cmath

from ._array import ndarray
from ._make import array, asarray
from ._arrange import roll
from torch._stand_ins import lacks, note

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


def fft(a, n=None, axis=-1, norm=None):
    return _transformed(a, n, axis, -1)


def ifft(a, n=None, axis=-1, norm=None):
    return _transformed(a, n, axis, 1)


def rfft(a, n=None, axis=-1, norm=None):
    whole = fft(a, n, axis)
    return whole[(*(slice(None),) * (axis % whole.ndim), slice(0, whole.shape[axis] // 2 + 1))]


def irfft(a, n=None, axis=-1, norm=None):
    a = asarray(a)
    n = 2 * (a.shape[axis] - 1) if n is None else n
    shape = [*a.shape]
    shape[axis] = n
    return ndarray(shape, "float64")


def fft2(a, s=None, axes=(-2, -1), norm=None):
    return ndarray(asarray(a).shape, "complex128")


ifft2 = fftn = ifftn = fft2


def fftfreq(n, d=1.0):
    return array([(i if i < (n + 1) // 2 else i - n) / (n * d) for i in range(n)])


def rfftfreq(n, d=1.0):
    return array([i / (n * d) for i in range(n // 2 + 1)])


def fftshift(x, axes=None):
    x = asarray(x)
    axes = range(x.ndim) if axes is None else (axes,) if isinstance(axes, int) else axes
    for axis in axes:
        x = roll(x, x.shape[axis] // 2, axis)
    return x


def ifftshift(x, axes=None):
    x = asarray(x)
    axes = range(x.ndim) if axes is None else (axes,) if isinstance(axes, int) else axes
    for axis in axes:
        x = roll(x, -(x.shape[axis] // 2), axis)
    return x
