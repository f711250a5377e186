"""Divergences of torch.distributions.kl that are infinite: the first distribution reaches where the second one does not."""

from __future__ import annotations

import math

import torch

from .bernoulli import Bernoulli
from .beta import Beta
from .binomial import Binomial
from .continuous_bernoulli import ContinuousBernoulli
from .exponential import Exponential
from .gamma import Gamma
from .gumbel import Gumbel
from .kl import register_kl
from .laplace import Laplace
from .normal import Normal
from .pareto import Pareto
from .poisson import Poisson
from .uniform import Uniform

_BOUNDED = (Beta, ContinuousBernoulli, Pareto, Uniform)
_BELOW = (Exponential, Gamma)

#: of which parameter's shape the result is, and beside which distributions
_PAIRS = (
    (Beta, "concentration1", (Pareto,)),
    (ContinuousBernoulli, "probs", (Pareto,)),
    (Exponential, "rate", _BOUNDED),
    (Gamma, "concentration", _BOUNDED),
    (Gumbel, "loc", _BOUNDED + _BELOW),
    (Laplace, "loc", _BOUNDED + _BELOW),
    (Normal, "loc", _BOUNDED + _BELOW),
    (Pareto, "scale", (Beta, ContinuousBernoulli, Uniform)),
    (Poisson, "rate", (Bernoulli, Binomial)),
)


def _infinite(name):
    return lambda p, q: torch.full_like(getattr(p, name), math.inf)


for _kind, _name, _others in _PAIRS:
    for _other in _others:
        register_kl(_kind, _other)(_infinite(_name))
