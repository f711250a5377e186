"""scipy.stats: the normal distribution, correlations of small arrays, draws without values."""

from typing import Any

import math
from statistics import NormalDist

import numpy as np
from torch._stand_ins import lacks

from ._shapes import of_numbers


class _Normal:
    def __call__(self, loc: float = 0, scale: float = 1) -> Any:
        made = _Normal()
        made._at = (loc, scale)
        return made

    _at = (0, 1)

    def _of(self, loc, scale):
        return NormalDist(*(self._at if loc is None else (loc, 1 if scale is None else scale)))

    def cdf(self, x: np.ndarray, loc: Any = None, scale: float | None = None) -> Any:
        return of_numbers(self._of(loc, scale).cdf)(x)

    def pdf(self, x: np.ndarray, loc: Any = None, scale: float | None = None) -> Any:
        return of_numbers(self._of(loc, scale).pdf)(x)

    def logpdf(self, x: np.ndarray, loc: Any = None, scale: float | None = None) -> Any:
        return of_numbers(lambda v: math.log(self._of(loc, scale).pdf(v)))(x)

    def ppf(self, q: Any, loc: Any = None, scale: float | None = None) -> Any:
        of = self._of(loc, scale)
        return of_numbers(lambda p: of.inv_cdf(p) if 0 < p < 1 else math.copysign(math.inf, p - 0.5))(q)

    def rvs(self, *_: object, size: int = 1, **__: object) -> Any:
        return np.random.normal(size=size)


norm = _Normal()


class _Drawn:
    """Draws alone."""

    def __call__(self, *_: object, **__: object) -> Any:
        return self

    def rvs(self, *_: object, size: int = 1, **__: object) -> Any:
        return np.random.random(size)


truncnorm = uniform = beta = _Drawn()


def pearsonr(x: np.ndarray, y: np.ndarray) -> tuple:
    x, y = ([float(value) for value in np.asarray(part).flatten().tolist()] for part in (x, y))
    means = sum(x) / len(x), sum(y) / len(y)
    products = sum((a - means[0]) * (b - means[1]) for a, b in zip(x, y))
    widths = math.sqrt(sum((a - means[0]) ** 2 for a in x) * sum((b - means[1]) ** 2 for b in y))
    return (products / widths if widths else math.nan), math.nan


def spearmanr(a: np.ndarray, b: np.ndarray) -> tuple:
    return pearsonr(_ranks(a), _ranks(b))


def _ranks(values):
    values = np.asarray(values).flatten().tolist()
    return np.array([sum(v < w for v in values) + (sum(v == w for v in values) + 1) / 2 for w in values])


def entropy(pk: np.ndarray, qk: np.ndarray | None = None, base: float | None = None, axis: int = 0) -> float:
    p = [v for v in np.asarray(pk).flatten().tolist()]
    total = sum(p) or 1
    return -sum(v / total * math.log(v / total) for v in p if v) / (math.log(base) if base else 1)


__getattr__ = lacks("scipy.stats")
