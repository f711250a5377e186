"""Distributions beside uniform and normal, each from Python's generator, by the usual transformations."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ._array import MOST_VALUES, broadcast, count, expand, is_whole, ndarray, scalar
from ._make import asarray

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random
    from typing import Any


def _open(r: Random) -> float:
    """A number between 0 and 1, neither of them."""
    return 1.0 - r.random() or 0.5


def _poisson(r: Random, lam: float) -> int:
    if lam > 50:
        return max(0, round(r.gauss(lam, lam**0.5)))
    n, product, limit = 0, r.random(), math.exp(-lam)
    while product > limit:
        n, product = n + 1, product * r.random()
    return n


def _zipf(r: Random, a: float) -> int:
    b = 2.0 ** (a - 1)
    while True:
        u, v = _open(r), r.random()
        x = math.floor(u ** (-1 / (a - 1)))
        t = (1 + 1 / x) ** (a - 1)
        if v * x * (t - 1) / (b - 1) <= t / b:
            return x


def _logseries(r: Random, p: float) -> int:
    q = 1 - (1 - p) ** r.random()
    return max(1, int(1 + math.log(_open(r)) / math.log(q))) if q > 0 else 1


def _wald(r: Random, mean: float, scale: float) -> float:
    y = r.gauss(0, 1) ** 2
    x = mean + mean * mean * y / (2 * scale) - mean / (2 * scale) * math.sqrt(4 * mean * scale * y + (mean * y) ** 2)
    return x if r.random() <= mean / (mean + x) else mean * mean / x


def _chisquare(r: Random, df: float) -> float:
    return r.gammavariate(df / 2, 2.0)


def _hypergeometric(r: Random, ngood: int, nbad: int, nsample: int) -> int:
    found = 0
    for _ in range(int(nsample)):
        if r.random() * (ngood + nbad) < ngood:
            found, ngood = found + 1, ngood - 1
        else:
            nbad -= 1
    return found


# The result's dtype, what the parameters are by default (none: they must be given), and one draw, whose arguments have NumPy's names.
DRAWS: dict[str, tuple[str, tuple, Callable]] = {
    "exponential": ("float64", (1.0,), lambda r, scale: r.expovariate(1.0) * scale),
    "binomial": ("int64", (None, None), lambda r, n, p: sum(r.random() < p for _ in range(int(n)))),
    "beta": ("float64", (None, None), lambda r, a, b: r.betavariate(a, b)),
    "gamma": ("float64", (None, 1.0), lambda r, shape, scale: r.gammavariate(shape, scale)),
    "lognormal": ("float64", (0.0, 1.0), lambda r, mean, sigma: r.lognormvariate(mean, sigma)),
    "laplace": ("float64", (0.0, 1.0), lambda r, loc, scale: loc + scale * (r.expovariate(1) - r.expovariate(1))),
    "poisson": ("int64", (1.0,), _poisson),
    "geometric": ("int64", (None,), lambda r, p: 1 + int(math.log(_open(r)) / math.log(1 - p)) if p < 1 else 1),
    "triangular": ("float64", (None, None, None), lambda r, left, mode, right: r.triangular(left, right, mode)),
    "standard_exponential": ("float64", (), lambda r: r.expovariate(1.0)),
    "standard_cauchy": ("float64", (), lambda r: math.tan(math.pi * (r.random() - 0.5))),
    "standard_gamma": ("float64", (None,), lambda r, shape: r.gammavariate(shape, 1.0)),
    "standard_t": ("float64", (None,), lambda r, df: r.gauss(0, 1) / math.sqrt(_chisquare(r, df) / df)),
    "chisquare": ("float64", (None,), _chisquare),
    "noncentral_chisquare": (
        "float64", (None, None), lambda r, df, nonc: _chisquare(r, df + 2 * _poisson(r, nonc / 2)),
    ),
    "f": ("float64", (None, None), lambda r, dfnum, dfden: (_chisquare(r, dfnum) / dfnum) / (_chisquare(r, dfden) / dfden)),
    "noncentral_f": (
        "float64",
        (None, None, None),
        lambda r, dfnum, dfden, nonc: (_chisquare(r, dfnum + 2 * _poisson(r, nonc / 2)) / dfnum)
        / (_chisquare(r, dfden) / dfden),
    ),
    "gumbel": ("float64", (0.0, 1.0), lambda r, loc, scale: loc - scale * math.log(-math.log(_open(r)))),
    "logistic": ("float64", (0.0, 1.0), lambda r, loc, scale: loc + scale * math.log(1 / _open(r) - 1 + 1e-300)),
    "pareto": ("float64", (None,), lambda r, a: r.paretovariate(a) - 1),
    "power": ("float64", (None,), lambda r, a: _open(r) ** (1 / a)),
    "rayleigh": ("float64", (1.0,), lambda r, scale: scale * math.sqrt(-2 * math.log(_open(r)))),
    "vonmises": (
        "float64", (None, None), lambda r, mu, kappa: (r.vonmisesvariate(mu, kappa) + math.pi) % (2 * math.pi) - math.pi,
    ),
    "wald": ("float64", (None, None), _wald),
    "weibull": ("float64", (None,), lambda r, a: r.weibullvariate(1.0, a)),
    "hypergeometric": ("int64", (None, None, None), _hypergeometric),
    "logseries": ("int64", (None,), _logseries),
    "negative_binomial": (
        "int64", (None, None), lambda r, n, p: _poisson(r, r.gammavariate(n, (1 - p) / p)) if p < 1 else 0,
    ),
    "zipf": ("int64", (None,), _zipf),
}  # fmt: skip


def shape_of(size: int | Sequence[int] | None) -> tuple:
    return () if size is None else (int(size),) if is_whole(size) else tuple(map(int, size))


def drawn(random: Random, size: int | Sequence[int] | None, kind: str, draw: Callable, *parameters: Any) -> Any:
    """`size` draws, or as many as the parameters broadcast to; numbers come as they are, arrays one by one."""
    arrays = [asarray(p) for p in parameters]
    together = broadcast(*(a.shape for a in arrays)) if arrays else ()
    shape = together if size is None else shape_of(size)
    if size is None and not together:
        return scalar(draw(random, *(a.item() for a in arrays)), kind)
    lists = [expand(a, shape) for a in arrays]
    if count(shape) > MOST_VALUES or any(v is None for v in lists):
        return ndarray(shape, kind)
    rows = zip(*lists) if lists else ((),) * count(shape)
    return ndarray(shape, kind, [draw(random, *row) for row in rows])


def method(name: str) -> Callable:
    """The method of a generator that draws from this distribution."""
    kind, defaults, draw = DRAWS[name]
    names = (*draw.__code__.co_varnames[1 : draw.__code__.co_argcount], "size")

    def call(self: Any, *args: Any, **named: Any) -> Any:
        bound = {**dict(zip(names, (*defaults, None))), **dict(zip(names, args)), **named}
        size = bound.pop("size")
        missing = [n for n, value in bound.items() if value is None]
        if missing or len(bound) != len(defaults) or len(args) > len(names):
            raise TypeError(f"{name}() takes {', '.join(names)}")
        return drawn(self._random, size, kind, draw, *bound.values())

    call.__name__ = name
    return call
