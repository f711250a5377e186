"""numpy.polynomial.legendre: the points of Gauss and Legendre."""

import math

import numpy as np
from torch._stand_ins import lacks


def leggauss(deg: int) -> tuple:
    """Points in (-1, 1) and weights, which integrate polynomials up to degree 2 * deg - 1."""
    points, weights = [], []
    for i in range(deg, 0, -1):
        x = math.cos(math.pi * (i - 0.25) / (deg + 0.5))
        slope = 1.0
        for _ in range(100):
            before, value = 1.0, x
            for n in range(2, deg + 1):
                before, value = value, ((2 * n - 1) * x * value - (n - 1) * before) / n
            slope = deg * (x * value - before) / (x * x - 1)
            x, step = x - value / slope, value / slope
            if abs(step) < 1e-15:
                break
        points.append(x)
        weights.append(2 / ((1 - x * x) * slope * slope))
    return np.array(points), np.array(weights)


__getattr__ = lacks("numpy.polynomial.legendre")
