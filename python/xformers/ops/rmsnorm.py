"""RMSNorm without gradients, one kernel: a result of the input's size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from torch import Tensor


__getattr__ = lacks("xformers.ops.rmsnorm")


def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    """x [..., size], weight [size] or None; inference only, as in xformers."""
    if torch.is_grad_enabled() and (x.requires_grad or (weight is not None and weight.requires_grad)):
        raise ValueError("Gradients not supported.")
    return torch.empty_like(x)


class RMSNorm(nn.Module):
    def __init__(self, dim: int, include_weight: bool = True, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim)) if include_weight else None

    def forward(self, x: Tensor) -> Tensor:
        return rms_norm(x, self.weight, self.eps)
