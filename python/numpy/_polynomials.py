"""Polynomials by their coefficients, the highest power first: class poly1d and the functions around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._array import ndarray
from ._make import arange, asarray, concatenate, zeros
from ._statistics import convolve, polyval

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike


def _coefficients(p: Any) -> ndarray:
    return p.coeffs if isinstance(p, poly1d) else asarray(p).reshape(-1)


def _same(made: ndarray, *operands: Any) -> Any:
    return poly1d(made) if any(isinstance(p, poly1d) for p in operands) else made


def _aligned(a: Any, b: Any) -> list:
    parts = [_coefficients(a), _coefficients(b)]
    longest = max(map(len, parts))
    return [concatenate([zeros(longest - len(p), p.dtype), p]) for p in parts]


def polyadd(a1: Any, a2: Any) -> Any:
    left, right = _aligned(a1, a2)
    return _same(left + right, a1, a2)


def polysub(a1: Any, a2: Any) -> Any:
    left, right = _aligned(a1, a2)
    return _same(left - right, a1, a2)


def polymul(a1: Any, a2: Any) -> Any:
    return _same(convolve(_coefficients(a1), _coefficients(a2)), a1, a2)


def polydiv(u: Any, v: Any) -> tuple:
    rest, by = [float(x) for x in _coefficients(u)], [float(x) for x in _coefficients(v)]
    quotient = []
    while len(rest) >= len(by):
        factor = rest[0] / by[0]
        quotient.append(factor)
        rest = [r - factor * b for r, b in zip(rest, by + [0.0] * len(rest))][1:]
    while len(rest) > 1 and abs(rest[0]) < 1e-14:
        rest = rest[1:]
    return _same(asarray(quotient or [0.0]), u, v), _same(asarray(rest or [0.0]), u, v)


def polyder(p: Any, m: int = 1) -> Any:
    found = _coefficients(p)
    for _ in range(m):
        found = found[:-1] * arange(len(found) - 1, 0, -1)
    return _same(found, p)


def polyint(p: Any, m: int = 1, k: ArrayLike = None) -> Any:
    found, constants = _coefficients(p), [0] * m if k is None else list(asarray(k).reshape(-1)) * m
    for i in range(m):
        found = concatenate([found / arange(len(found), 0, -1), asarray([float(constants[i])])])
    return _same(found, p)


def poly(seq_of_zeros: ArrayLike) -> ndarray:
    """The coefficients of the polynomial with these zeros."""
    found = asarray([1.0])
    for zero in asarray(seq_of_zeros).reshape(-1):
        found = convolve(found, asarray([1.0, -float(zero)]))
    return found


def roots(p: ArrayLike) -> ndarray:
    """The zeros, by Durand and Kerner's iteration; complex where one is."""
    coefficients = [complex(c) for c in _coefficients(p).read()]
    while coefficients and not coefficients[0]:
        coefficients = coefficients[1:]
    trailing = 0
    while coefficients and not coefficients[-1]:
        coefficients, trailing = coefficients[:-1], trailing + 1
    degree = len(coefficients) - 1
    if degree < 1:
        return zeros(trailing)
    found = [(0.4 + 0.9j) ** i for i in range(degree)]
    for _ in range(500):
        before = list(found)
        for i, x in enumerate(found):
            value = 0j
            for c in coefficients:
                value = value * x + c
            for j, other in enumerate(found):
                if j != i:
                    value /= x - other
            found[i] = x - value / coefficients[0]
        if all(abs(a - b) < 1e-15 for a, b in zip(before, found)):
            break
    real = all(abs(x.imag) < 1e-9 * max(1.0, abs(x)) for x in found)
    values = [x.real for x in found] if real else found
    return asarray([*sorted(values, key=abs, reverse=True), *[0.0] * trailing])


class poly1d:
    """One polynomial; called with x it is evaluated there."""

    __hash__ = None

    def __init__(self, c_or_r: Any, r: bool = False, variable: str = "x") -> None:
        coefficients = poly(c_or_r) if r else _coefficients(c_or_r)
        first = next((i for i, c in enumerate(coefficients.read()) if c), len(coefficients) - 1)
        self.coeffs, self.variable = coefficients[first:], variable

    c = coef = coefficients = property(lambda self: self.coeffs)
    order = o = property(lambda self: len(self.coeffs) - 1)
    roots = r = property(lambda self: roots(self.coeffs))

    def __call__(self, x: Any) -> Any:
        return polyval(self.coeffs, x)

    def __len__(self) -> int:
        return self.order

    def __iter__(self) -> Any:
        return iter(self.coeffs)

    def __getitem__(self, power: int) -> Any:
        return self.coeffs[self.order - power] if 0 <= power <= self.order else 0

    def __array__(self, *_: Any, **__: Any) -> ndarray:
        return self.coeffs

    def __eq__(self, other: object) -> Any:
        return isinstance(other, poly1d) and self.coeffs.tolist() == other.coeffs.tolist()

    def __neg__(self) -> poly1d:
        return poly1d(-self.coeffs)

    def __add__(self, other: Any) -> poly1d:
        return poly1d(polyadd(self, other))

    def __sub__(self, other: Any) -> poly1d:
        return poly1d(polysub(self, other))

    def __rsub__(self, other: Any) -> poly1d:
        return poly1d(polysub(other, self))

    def __mul__(self, other: Any) -> poly1d:
        return poly1d(polymul(self, other))

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Any) -> Any:
        return polydiv(self, other) if isinstance(other, poly1d) else poly1d(self.coeffs / other)

    def __pow__(self, power: int) -> poly1d:
        found = poly1d([1])
        for _ in range(power):
            found = found * self
        return found

    def deriv(self, m: int = 1) -> Any:
        return polyder(self, m)

    def integ(self, m: int = 1, k: ArrayLike = None) -> Any:
        return polyint(self, m, k)

    def __repr__(self) -> str:
        return f"poly1d({self.coeffs.tolist()})"
