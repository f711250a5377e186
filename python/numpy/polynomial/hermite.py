"""numpy.polynomial.hermite: points and weights of a quadrature by Gauss and Hermite."""

from __future__ import annotations

import math

import numpy as np
from torch._stand_ins import lacks

__getattr__ = lacks("numpy.polynomial.hermite")


def _value(n: int, x: float) -> tuple[float, float]:
    """The normalized polynomials of degrees n and n - 1 at x."""
    before, value = 0.0, math.pi**-0.25
    for k in range(n):
        before, value = value, x * math.sqrt(2 / (k + 1)) * value - math.sqrt(k / (k + 1)) * before
    return value, before


def hermgauss(deg: int) -> tuple:
    """Two arrays of `deg` numbers: the zeros are bracketed by those of the degree before, and halved down."""
    zeros: list[float] = []
    for n in range(1, deg + 1):
        edge = math.sqrt(2 * n + 2)
        walls = [-edge, *zeros, edge]
        found = []
        for low, high in zip(walls, walls[1:]):
            sign = _value(n, low)[0] > 0
            for _ in range(200):
                middle = (low + high) / 2
                if middle in (low, high):
                    break
                low, high = (middle, high) if (_value(n, middle)[0] > 0) == sign else (low, middle)
            found.append((low + high) / 2 + 0.0)  # no -0.0
        zeros = found
    weights = [1 / (deg * _value(deg, x)[1] ** 2) for x in zeros]
    return np.array(zeros), np.array(weights)
