"""torch/distributions/gumbel.py: a uniform number through two logarithms, as TransformedDistribution runs its transforms."""

from __future__ import annotations

import math
from numbers import Number
from typing import TYPE_CHECKING

import torch

from ._base import Distribution, _positive, _real, _tensors
from .uniform import Uniform

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


#: utils.py: euler_constant
_EULER = 0.57721566490153286060


class Gumbel(Distribution):
    has_rsample = True
    _checks = {"loc": _real, "scale": _positive}
    _support = staticmethod(_real)

    def __init__(self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None) -> None:
        self.loc, self.scale = _tensors(loc, scale)
        finfo = torch.finfo(self.loc.dtype)
        if isinstance(loc, Number) and isinstance(scale, Number):
            self.base_dist = Uniform(finfo.tiny, 1 - finfo.eps, validate_args=validate_args)
        else:
            low = torch.full_like(self.loc, finfo.tiny)
            high = torch.full_like(self.loc, 1 - finfo.eps)
            self.base_dist = Uniform(low, high, validate_args=validate_args)
        # (loc, scale) of the two AffineTransforms; each follows a logarithm, the inverse of an ExpTransform
        self._affine = [(0, -torch.ones_like(self.scale)), (loc, -self.scale)]
        super().__init__(self.base_dist.batch_shape, validate_args=validate_args)

    mean = property(lambda self: self.loc + self.scale * _EULER)
    mode = property(lambda self: self.loc)
    stddev = property(lambda self: math.pi / math.sqrt(6) * self.scale)
    variance = property(lambda self: self.stddev.pow(2))

    def rsample(self, sample_shape: tuple = ()) -> Any:
        x = self.base_dist.rsample(sample_shape)
        for loc, scale in self._affine:
            x = x.log()
            x = loc + scale * x
        return x

    def log_prob(self, value: Any) -> Tensor:
        self._validate_sample(value)
        y = (self.loc - value) / self.scale
        return (y - y.exp()) - self.scale.log()

    def entropy(self) -> Tensor:
        return self.scale.log() + (1 + _EULER)
