"""Functions of one or two numbers that few programs ask for, and sums of products along an axis."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ._array import ndarray
from ._make import asarray
from ._math import _binary, _float_kind, _unary
from ._sums import einsum

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike


fmin = _binary(lambda a, b: b if a != a or b < a else a)
fmax = _binary(lambda a, b: b if a != a or b > a else a)
nextafter = _binary(math.nextafter, _float_kind)
ldexp = _binary(lambda a, b: math.ldexp(a, int(b)), lambda a, b: _float_kind(a))
logaddexp2 = _binary(lambda a, b: max(a, b) + math.log2(1 + 2.0 ** -abs(a - b)), _float_kind)
isposinf = _unary(lambda v: v == math.inf, floating=False, kind="bool")
isneginf = _unary(lambda v: v == -math.inf, floating=False, kind="bool")
fix = _unary(math.trunc, lambda v: v)
spacing = _unary(math.ulp)
bitwise_count = _unary(lambda v: abs(v).bit_count(), floating=False, kind="uint8")


def _bessel(x: float) -> float:
    """The modified Bessel function of order 0, by its series."""
    total = term = 1.0
    k = 1
    while term > 1e-17 * total:
        term *= (x / (2 * k)) ** 2
        total, k = total + term, k + 1
    return total


i0 = _unary(_bessel)


def kaiser(M: int, beta: float) -> ndarray:
    if M == 1:
        return asarray([1.0])
    half = (M - 1) / 2
    return asarray([_bessel(beta * math.sqrt(1 - ((n - half) / half) ** 2)) / _bessel(beta) for n in range(M)])


def real_if_close(a: ArrayLike, tol: float = 100) -> Any:
    from ._math import imag, real

    a = asarray(a)
    near = a.dtype.kind == "c" and all(abs(v) <= tol * 2.0**-52 for v in imag(a).read())
    return real(a) if near else a


def vecdot(x1: ArrayLike, x2: ArrayLike, /, axis: int = -1) -> Any:
    return (asarray(x1) * asarray(x2)).sum(axis)


def matvec(x1: ArrayLike, x2: ArrayLike, /) -> Any:
    return einsum("...ij,...j->...i", x1, x2)


def vecmat(x1: ArrayLike, x2: ArrayLike, /) -> Any:
    return einsum("...i,...ij->...j", x1, x2)


def correlate(a: ArrayLike, v: ArrayLike, mode: str = "valid") -> Any:
    from ._arrange import flipud
    from ._statistics import convolve

    return convolve(a, flipud(v), mode)


def packbits(a: ArrayLike, /, axis: int | None = None, bitorder: str = "big") -> ndarray:
    a = asarray(a)
    if axis is not None and a.ndim > 1:
        from ._arrange import apply_along_axis

        return apply_along_axis(packbits, axis, a)
    bits = [1 if v else 0 for v in a.reshape(-1).read()]
    bits += [0] * (-len(bits) % 8)
    order = range(7, -1, -1) if bitorder == "big" else range(8)
    return asarray([sum(b << o for b, o in zip(bits[i : i + 8], order)) for i in range(0, len(bits), 8)], "uint8")


def unpackbits(a: ArrayLike, /, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> ndarray:
    order = range(7, -1, -1) if bitorder == "big" else range(8)
    return asarray([v >> o & 1 for v in asarray(a).reshape(-1).read() for o in order][:count], "uint8")


def base_repr(number: int, base: int = 2, padding: int = 0) -> str:
    digits, rest = "", abs(int(number))
    while rest:
        rest, digit = divmod(rest, base)
        digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[digit] + digits
    return ("-" if number < 0 else "") + "0" * padding + (digits or "0")


def binary_repr(num: int, width: int | None = None) -> str:
    num = int(num)
    if num < 0 and width:
        return format(num & ((1 << width) - 1), "b").zfill(width)
    return ("-" if num < 0 else "") + format(abs(num), "b").zfill(width or 1)
