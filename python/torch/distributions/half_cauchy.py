"""torch.distributions.half_cauchy: how far numbers with heavy tails are from zero."""

from __future__ import annotations

import torch

from ._halves import Half
from .cauchy import Cauchy
from .distribution import _full

__all__ = ["HalfCauchy"]


class HalfCauchy(Half):
    _whole = Cauchy

    mean = property(lambda self: _full(self, torch.inf, self.scale))
    variance = property(lambda self: self.base_dist.variance)
