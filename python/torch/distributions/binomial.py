"""torch.distributions.binomial: how many of several tries succeed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import constraints
from ._probs_or_logits import ProbsOrLogits
from .utils import _known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

__all__ = ["Binomial"]


def _clamp_by_zero(x):
    """At least zero, with half of the gradient where it is zero."""
    return (x.clamp(min=0) + x - x.clamp(max=0)) / 2


class Binomial(ProbsOrLogits):
    arg_constraints = {
        "total_count": constraints.nonnegative_integer,
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    has_enumerate_support = True
    _parts = {"total_count": 0, **ProbsOrLogits._parts}

    def __init__(
        self,
        total_count: Tensor | int = 1,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self._begin_with_counts(total_count, probs, logits, validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> constraints.Constraint:
        return constraints.integer_interval(0, self.total_count)

    mean = property(lambda self: self.total_count * self.probs)
    mode = property(lambda self: ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count))
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        of_all = torch.lgamma(self.total_count + 1)
        of_ones = torch.lgamma(value + 1)
        of_others = torch.lgamma(self.total_count - value + 1)
        normalizer = (
            self.total_count * _clamp_by_zero(self.logits)
            + self.total_count * torch.log1p(torch.exp(-torch.abs(self.logits)))
            - of_all
        )
        return value * self.logits - of_ones - of_others - normalizer

    def _one_count(self, function):
        most = int(self.total_count.max())
        if _known(self.total_count.min() == most) == 0:
            raise NotImplementedError(f"Inhomogeneous total count not supported by `{function}`.")
        return most

    def entropy(self) -> Tensor:
        self._one_count("entropy")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(torch.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        most = self._one_count("enumerate_support")
        return self._enumerated(torch.arange(1 + most, dtype=self._param.dtype, device=self._param.device), expand)
