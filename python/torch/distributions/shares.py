"""torch/distributions/{dirichlet,beta}.py: shares that sum to one."""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING

import torch
from torch.autograd import Function

from .._joining import broadcast_tensors
from ._base import Distribution, _positive, _simplex, _unit_interval

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


def _all_positive(value):
    result = value > 0.0
    return result.reshape(*result.shape[:-1], -1).all(-1)


class _Dirichlet(Function):
    @staticmethod
    def forward(ctx: Any, concentration: Tensor) -> Tensor:
        x = torch._sample_dirichlet(concentration)
        ctx.save_for_backward(x, concentration)
        return x

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Tensor:
        x, concentration = ctx.saved_tensors
        total = concentration.sum(-1, True).expand_as(concentration)
        grad = torch._dirichlet_grad(x, concentration, total)
        return grad * (grad_output - (x * grad_output).sum(-1, True))


class Dirichlet(Distribution):
    has_rsample = True
    _checks = {"concentration": _all_positive}
    _support = staticmethod(_simplex)

    def __init__(self, concentration: Tensor, validate_args: bool | None = None) -> None:
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args=validate_args)

    mean = property(lambda self: self.concentration / self.concentration.sum(-1, True))

    @property
    def variance(self) -> Tensor:
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        concentration = self.concentration.expand(self._extended(sample_shape))
        return _Dirichlet.apply(concentration)

    def log_prob(self, value: Any) -> Tensor:
        self._validate_sample(value)
        weights = self.concentration
        return torch.xlogy(weights - 1.0, value).sum(-1) + torch.lgamma(weights.sum(-1)) - torch.lgamma(weights).sum(-1)

    def entropy(self) -> Tensor:
        k = self.concentration.size(-1)
        a0 = self.concentration.sum(-1)
        return (
            torch.lgamma(self.concentration).sum(-1)
            - torch.lgamma(a0)
            - (k - a0) * torch.digamma(a0)
            - ((self.concentration - 1.0) * torch.digamma(self.concentration)).sum(-1)
        )


class Beta(Distribution):
    has_rsample = True
    _checks = {"concentration1": _positive, "concentration0": _positive}
    _support = staticmethod(_unit_interval)

    def __init__(
        self, concentration1: Tensor | float, concentration0: Tensor | float, validate_args: bool | None = None
    ) -> None:
        if isinstance(concentration1, Number) and isinstance(concentration0, Number):
            both = torch.tensor([float(concentration1), float(concentration0)])
        else:
            first = concentration1 if isinstance(concentration1, torch.Tensor) else concentration0
            one, zero = (
                torch.tensor(c, dtype=first.dtype, device=first.device) if isinstance(c, Number) else c
                for c in (concentration1, concentration0)
            )
            one, zero = broadcast_tensors(one, zero)
            both = torch.stack([one, zero], -1)
        self._dirichlet = Dirichlet(both, validate_args=validate_args)
        super().__init__(self._dirichlet.batch_shape, validate_args=validate_args)

    concentration1 = property(lambda self: self._dirichlet.concentration[..., 0])
    concentration0 = property(lambda self: self._dirichlet.concentration[..., 1])
    mean = property(lambda self: self.concentration1 / (self.concentration1 + self.concentration0))

    @property
    def variance(self) -> Tensor:
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value: Any) -> Tensor:
        self._validate_sample(value)
        return self._dirichlet.log_prob(torch.stack([value, 1.0 - value], -1))

    def entropy(self) -> Tensor:
        return self._dirichlet.entropy()
