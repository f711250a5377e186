"""torch.distributions.exp_family: distributions whose entropies and divergences follow from a normalizer of their natural parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .distribution import Distribution

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """A class says `_natural_params`, `_log_normalizer` and `_mean_carrier_measure`."""

    def entropy(self) -> Tensor:
        result = -self._mean_carrier_measure
        parameters = [part.detach().requires_grad_() for part in self._natural_params]
        normalizer = self._log_normalizer(*parameters)
        gradients = torch.autograd.grad(normalizer.sum(), parameters, create_graph=True)
        result += normalizer
        for part, gradient in zip(parameters, gradients):
            result -= (part * gradient).reshape(self._batch_shape + (-1,)).sum(-1)
        return result
