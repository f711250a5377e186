"""torch.distributions.categorical: one of several classes, by its number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .._joining import broadcast_tensors
from . import constraints
from ._probs_or_logits import ProbsOrLogits, given_of
from .distribution import Distribution, _full

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

__all__ = ["Categorical"]


class Categorical(ProbsOrLogits):
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True
    _is_binary = False
    _parts, _kept = {"probs": 1, "logits": 1, "_param": 1}, ("_num_events",)

    def __init__(
        self, probs: Tensor | None = None, logits: Tensor | None = None, validate_args: bool | None = None
    ) -> None:
        name = given_of(probs, logits)
        if (logits if probs is None else probs).dim() < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is not None:
            self.probs = probs / probs.sum(-1, keepdim=True)
            self._param = self.probs
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
            self._param = self.logits
        self._num_events = self._param.size()[-1]
        Distribution.__init__(self, self._param.size()[:-1], validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> constraints.Constraint:
        return constraints.integer_interval(0, self._num_events - 1)

    mean = property(lambda self: _full(self, torch.nan, self.probs))
    mode = property(lambda self: self.probs.argmax(dim=-1))
    variance = property(lambda self: _full(self, torch.nan, self.probs))

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        sample_shape = torch.Size(sample_shape)
        rows = self.probs.reshape(-1, self._num_events)
        drawn = torch.multinomial(rows, sample_shape.numel(), True).T
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        value = value.long().unsqueeze(-1)
        value, log_pmf = broadcast_tensors(value, self.logits)
        value = value[..., :1]
        return log_pmf.gather(-1, value).squeeze(-1)

    def entropy(self) -> Tensor:
        logits = torch.clamp(self.logits, min=torch.finfo(self.logits.dtype).min)
        p_log_p = logits * self.probs
        return -p_log_p.sum(-1)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        return self._enumerated(torch.arange(self._num_events, dtype=torch.long, device=self._param.device), expand)
