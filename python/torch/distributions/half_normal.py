"""torch.distributions.half_normal: how far normal numbers are from zero."""

from __future__ import annotations

import math

from ._halves import Half
from .normal import Normal

__all__ = ["HalfNormal"]


class HalfNormal(Half):
    _whole = Normal

    mean = property(lambda self: self.scale * math.sqrt(2 / math.pi))
    variance = property(lambda self: self.scale.pow(2) * (1 - 2 / math.pi))
