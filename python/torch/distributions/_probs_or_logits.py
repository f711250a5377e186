"""torch.distributions._probs_or_logits: what distributions share that are given by probabilities or by their logits: the other one is made when it is asked for."""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING

import torch

from .distribution import Distribution
from .utils import broadcast_all, lazy_property, logits_to_probs, probs_to_logits

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def given_of(probs: Any, logits: Any) -> str:
    """Which of the two is given."""
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")
    return "logits" if probs is None else "probs"


class ProbsOrLogits(Distribution):
    _is_binary = True
    _parts = {"probs": 0, "logits": 0, "_param": 0}

    def _begin_with(self, probs, logits, validate_args):
        name = given_of(probs, logits)
        parameter = logits if probs is None else probs
        (self._param,) = broadcast_all(parameter)
        setattr(self, name, self._param)
        shape = torch.Size() if isinstance(parameter, Number) else self._param.size()
        Distribution.__init__(self, shape, validate_args=validate_args)

    def _begin_with_counts(self, total_count, probs, logits, validate_args):
        name = given_of(probs, logits)
        self.total_count, self._param = broadcast_all(total_count, logits if probs is None else probs)
        setattr(self, name, self._param)
        self.total_count = self.total_count.type_as(self._param)
        Distribution.__init__(self, self._param.size(), validate_args=validate_args)

    def _new(self, *args, **kwargs):
        return self._param.new(*args, **kwargs)

    @lazy_property
    def logits(self) -> Tensor:
        return probs_to_logits(self.probs, self._is_binary)

    @lazy_property
    def probs(self) -> Tensor:
        return logits_to_probs(self.logits, self._is_binary)

    param_shape = property(lambda self: self._param.size())
