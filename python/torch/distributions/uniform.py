"""torch/distributions/uniform.py: numbers between two bounds."""

from __future__ import annotations

from functools import partial
from numbers import Number
from typing import TYPE_CHECKING

import torch

from ._base import Distribution, _between, _tensors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


def _below(bound, value):
    return value < bound


def _above(bound, value):
    return bound < value


class Uniform(Distribution):
    has_rsample = True

    def __init__(self, low: Tensor | float, high: Tensor | float, validate_args: bool | None = None) -> None:
        self.low, self.high = _tensors(low, high)
        numbers = isinstance(low, Number) and isinstance(high, Number)
        super().__init__(() if numbers else self.low.size(), validate_args=validate_args)

    # of the bounds as they are now: a check that was kept would keep a bound alive
    _checks = property(lambda self: {"low": partial(_below, self.high), "high": partial(_above, self.low)})
    _support = property(lambda self: partial(_between, self.low, self.high))
    mean = property(lambda self: (self.high + self.low) / 2)
    stddev = property(lambda self: (self.high - self.low) / 12**0.5)
    variance = property(lambda self: (self.high - self.low).pow(2) / 12)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        shape = self._extended(sample_shape)
        rand = torch.rand(shape, dtype=self.low.dtype, device=self.low.device)
        return self.low + rand * (self.high - self.low)

    def log_prob(self, value: Any) -> Tensor:
        self._validate_sample(value)
        lb = self.low.le(value).type_as(self.low)
        ub = self.high.gt(value).type_as(self.low)
        return torch.log(lb.mul(ub)) - torch.log(self.high - self.low)

    def entropy(self) -> Tensor:
        return torch.log(self.high - self.low)
