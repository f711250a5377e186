"""torch.distributions.generalized_pareto: how far above a threshold large numbers are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import constraints
from .distribution import Distribution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

__all__ = ["GeneralizedPareto"]


class GeneralizedPareto(Distribution):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real}
    has_rsample = True
    _parts = {"loc": 0, "scale": 0, "concentration": 0}

    def __init__(
        self,
        loc: Tensor | float,
        scale: Tensor | float,
        concentration: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        self._begin(validate_args, loc=loc, scale=scale, concentration=concentration)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> constraints.Constraint:
        lower = self.loc
        upper = torch.where(self.concentration < 0, lower - self.scale / self.concentration, torch.inf)
        return constraints.interval(lower, upper)

    mode = property(lambda self: self.loc)

    @property
    def mean(self) -> Tensor:
        valid = self.concentration < 1
        safe = torch.where(valid, self.concentration, 0.5)
        result = self.loc + self.scale / (1 - safe)
        return torch.where(valid, result, torch.nan)

    @property
    def variance(self) -> Tensor:
        valid = self.concentration < 0.5
        safe = torch.where(valid, self.concentration, 0.25)
        result = self.scale**2 / ((1 - safe) ** 2 * (1 - 2 * safe))
        return torch.where(valid, result, torch.nan)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        u = torch.rand(shape, dtype=self.loc.dtype, device=self.loc.device)
        return self.icdf(u)

    def _z(self, x):
        return (x - self.loc) / self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        z = self._z(value)
        is_zero = torch.isclose(self.concentration, torch.tensor(0.0))
        safe = torch.where(is_zero, torch.ones_like(self.concentration), self.concentration)
        y = 1 / safe + torch.ones_like(z)
        otherwise = torch.where(y == 0, y, y * torch.log1p(safe * z))
        log_scale = self.scale.log()
        return -log_scale - torch.where(is_zero, z, otherwise)

    def log_survival_function(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        z = self._z(value)
        is_zero = torch.isclose(self.concentration, torch.tensor(0.0))
        safe = torch.where(is_zero, torch.ones_like(self.concentration), self.concentration)
        otherwise = -torch.log1p(safe * z) / safe
        return torch.where(is_zero, -z, otherwise)

    def log_cdf(self, value: Tensor) -> Tensor:
        return torch.log1p(-torch.exp(self.log_survival_function(value)))

    def cdf(self, value: Tensor) -> Tensor:
        return torch.exp(self.log_cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        loc, scale, concentration = self.loc, self.scale, self.concentration
        is_zero = torch.isclose(concentration, torch.zeros_like(concentration))
        safe = torch.where(is_zero, torch.ones_like(concentration), concentration)
        logu = torch.log1p(-value)
        otherwise = loc + scale / safe * torch.expm1(-safe * logu)
        at_zero = loc - scale * logu
        return torch.where(is_zero, at_zero, otherwise)

    def entropy(self) -> Tensor:
        entropy = torch.log(self.scale) + self.concentration + 1
        return torch.broadcast_to(entropy, self._batch_shape)
