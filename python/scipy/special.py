"""scipy.special: functions that are in Python's math, and sums of exponentials."""

from typing import Any

import math

import numpy as np
from torch._stand_ins import lacks

from ._shapes import of_numbers

erf, erfc, gamma = of_numbers(math.erf), of_numbers(math.erfc), of_numbers(math.gamma)
gammaln = loggamma = of_numbers(math.lgamma)


def _digamma(x):
    """By its recurrence up to where the asymptotic series holds; at 0 and below by reflection."""
    if x <= 0 and x == math.floor(x):
        return -math.inf if x == 0 else math.nan
    if x < 0:
        return _digamma(1 - x) - math.pi / math.tan(math.pi * x)
    shift = 0.0
    while x < 10:
        shift -= 1 / x
        x += 1
    y = 1 / (x * x)
    series = y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y * (1 / 132 - y * 691 / 32760)))))
    return shift + math.log(x) - 0.5 / x - series


digamma = psi = of_numbers(_digamma)
expit = of_numbers(lambda x: 1 / (1 + math.exp(-x)) if x > -700 else 0.0)
logit = of_numbers(lambda p: math.log(p / (1 - p)))


def comb(N: int, k: int, exact: bool = False, repetition: bool = False) -> Any:
    return math.comb(int(N), int(k)) if exact else float(math.comb(int(N), int(k)))


def factorial(n: int, exact: bool = False) -> Any:
    return math.factorial(int(n)) if exact else float(math.factorial(int(n)))


def logsumexp(
    a: np.ndarray, axis: int | None = None, b: Any = None, keepdims: bool = False, return_sign: bool = False
) -> Any:
    most = np.max(a, axis=axis, keepdims=True)
    total = np.log(np.sum(np.exp(a - most), axis=axis, keepdims=True)) + most
    return total if keepdims else np.squeeze(total, axis) if axis is not None else total.item()


def softmax(x: np.ndarray, axis: int | None = None) -> Any:
    return np.exp(x - logsumexp(x, axis, keepdims=True))


def log_softmax(x: np.ndarray, axis: int | None = None) -> Any:
    return x - logsumexp(x, axis, keepdims=True)


__getattr__ = lacks("scipy.special")
