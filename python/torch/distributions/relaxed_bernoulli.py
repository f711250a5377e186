"""torch/distributions/relaxed_bernoulli.py: a Bernoulli variable that gradients pass, and its logits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ._base import _real, _tensors, _unit_interval
from ._named import _OfProbsOrLogits
from .transformed_distribution import TransformedDistribution
from .transforms import SigmoidTransform
from .utils import clamp_probs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


class LogitRelaxedBernoulli(_OfProbsOrLogits):
    _is_binary = True
    has_rsample = True
    _checks = {"probs": _unit_interval, "logits": _real}
    _support = staticmethod(_real)

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | int | float | None = None,
        logits: Tensor | int | float | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self.temperature = temperature
        if self._given(probs, logits):
            (self.probs,) = _tensors(probs)
            self._param = self.probs
        else:
            (self.logits,) = _tensors(logits)
            self._param = self.logits
        super().__init__(self._param.size(), validate_args=validate_args)

    param_shape = property(lambda self: self._param.size())

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        shape = self._extended(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        uniforms = clamp_probs(torch.rand(shape, dtype=probs.dtype, device=probs.device))
        return (uniforms.log() - (-uniforms).log1p() + probs.log() - (-probs).log1p()) / self.temperature

    def log_prob(self, value: Any) -> Tensor:
        self._validate_sample(value)
        logits, value = _tensors(self.logits, value)
        diff = logits - value.mul(self.temperature)
        return self.temperature.log() + diff - 2 * diff.exp().log1p()


class RelaxedBernoulli(TransformedDistribution):
    _checks = LogitRelaxedBernoulli._checks
    _support = staticmethod(_unit_interval)

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | int | float | None = None,
        logits: Tensor | int | float | None = None,
        validate_args: bool | None = None,
    ) -> None:
        base_dist = LogitRelaxedBernoulli(temperature, probs, logits)
        super().__init__(base_dist, SigmoidTransform(), validate_args=validate_args)

    temperature = property(lambda self: self.base_dist.temperature)
    logits = property(lambda self: self.base_dist.logits)
    probs = property(lambda self: self.base_dist.probs)
