"""torch/distributions/transformed_distribution.py: a distribution whose samples go through maps."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import torch

from ._base import Distribution, _independent, _sum_rightmost
from .transforms import ComposeTransform, Transform

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


class TransformedDistribution(Distribution):
    def __init__(
        self,
        base_distribution: Distribution,
        transforms: Transform | list[Transform],
        validate_args: bool | None = None,
    ) -> None:
        self.transforms = [transforms] if isinstance(transforms, Transform) else list(transforms)
        self.base_dist = base_distribution
        base_event = len(base_distribution.event_shape)
        event = max(ComposeTransform(self.transforms).event_dim, base_event)
        shape = base_distribution.batch_shape + base_distribution.event_shape
        cut = len(shape) - event
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    has_rsample = property(lambda self: self.base_dist.has_rsample)

    @property
    def _support(self):
        """What the last map gives, for whole events."""
        if not self.transforms:
            return self.base_dist._support
        more = len(self.event_shape) - self.transforms[-1].event_dim
        check = self.transforms[-1]._codomain
        return partial(_independent, check, more) if more > 0 else check

    def sample(self, sample_shape: tuple = ()) -> Tensor:
        with torch.no_grad():
            x = self.base_dist.sample(sample_shape)
            for transform in self.transforms:
                x = transform(x)
            return x

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        x = self.base_dist.rsample(sample_shape)
        for transform in self.transforms:
            x = transform(x)
        return x

    def log_prob(self, value: Any) -> Tensor:
        self._validate_sample(value)
        event_dim = len(self.event_shape)
        log_prob = 0.0
        y = value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            log_prob = log_prob - _sum_rightmost(transform.log_abs_det_jacobian(x, y), event_dim - transform.event_dim)
            y = x
        return log_prob + _sum_rightmost(self.base_dist.log_prob(y), event_dim - len(self.base_dist.event_shape))
