"""torch.distributions.mixture_same_family: one of several distributions of a kind, chosen by a categorical one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import constraints
from .categorical import Categorical
from .distribution import Distribution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

__all__ = ["MixtureSameFamily"]


class MixtureSameFamily(Distribution):
    arg_constraints = {}
    _parts = {"_mixture_distribution": 0, "_component_distribution": 1}
    _kept = ("_num_component", "_event_ndims")

    def __init__(
        self,
        mixture_distribution: Categorical,
        component_distribution: Distribution,
        validate_args: bool | None = None,
    ) -> None:
        self._mixture_distribution, self._component_distribution = mixture_distribution, component_distribution
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(" The Mixture distribution needs to be an  instance of torch.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("The Component distribution needs to be an instance of torch.distributions.Distribution")
        mixed, batch = mixture_distribution.batch_shape, component_distribution.batch_shape[:-1]
        if any(1 not in pair and pair[0] != pair[1] for pair in zip(reversed(mixed), reversed(batch))):
            raise ValueError(
                f"`mixture_distribution.batch_shape` ({mixed}) is not compatible with "
                f"`component_distribution.batch_shape`({batch})"
            )
        self._num_component = mixture_distribution.logits.shape[-1]
        if self._num_component != component_distribution.batch_shape[-1]:
            raise ValueError(
                f"`mixture_distribution component` ({self._num_component}) does not equal "
                f"`component_distribution.batch_shape[-1]` ({component_distribution.batch_shape[-1]})"
            )
        self._event_ndims = len(component_distribution.event_shape)
        super().__init__(batch, component_distribution.event_shape, validate_args=validate_args)

    @constraints.dependent_property
    def support(self) -> constraints.Constraint:
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    mixture_distribution = property(lambda self: self._mixture_distribution)
    component_distribution = property(lambda self: self._component_distribution)

    @property
    def mean(self) -> Tensor:
        probs = self._pad_mixture_dimensions(self.mixture_distribution.probs)
        return torch.sum(probs * self.component_distribution.mean, dim=-1 - self._event_ndims)

    @property
    def variance(self) -> Tensor:
        probs = self._pad_mixture_dimensions(self.mixture_distribution.probs)
        within = torch.sum(probs * self.component_distribution.variance, dim=-1 - self._event_ndims)
        between = torch.sum(
            probs * (self.component_distribution.mean - self._pad(self.mean)).pow(2.0), dim=-1 - self._event_ndims
        )
        return within + between

    def cdf(self, x: Tensor) -> Tensor:
        x = self._pad(x)
        shares = self.component_distribution.cdf(x)
        probs = self.mixture_distribution.probs
        return torch.sum(shares * probs, dim=-1)

    def log_prob(self, x: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(x)
        x = self._pad(x)
        scores = self.component_distribution.log_prob(x)
        log_probs = torch.log_softmax(self.mixture_distribution.logits, dim=-1)
        return torch.logsumexp(scores + log_probs, dim=-1)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        with torch.no_grad():
            dim = len(sample_shape) + len(self._batch_shape)
            event = self._event_shape
            chosen = self.mixture_distribution.sample(sample_shape)
            shape = chosen.shape
            drawn = self.component_distribution.sample(sample_shape)
            indices = chosen.reshape(shape + torch.Size([1] * (len(event) + 1)))
            indices = indices.repeat(torch.Size([1] * len(shape)) + torch.Size([1]) + event)
            samples = torch.gather(drawn, dim, indices)
            return samples.squeeze(dim)

    def _pad(self, x):
        return x.unsqueeze(-1 - self._event_ndims)

    def _pad_mixture_dimensions(self, x):
        mixed = len(self.mixture_distribution.batch_shape)
        more = 0 if mixed == 1 else len(self._batch_shape) - mixed
        return x.reshape(x.shape[:-1] + torch.Size(more * [1]) + x.shape[-1:] + torch.Size(self._event_ndims * [1]))

    def __repr__(self) -> str:
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"
