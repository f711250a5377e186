"""`zero_grad` lets gradients go instead of filling them with zeros."""

from __future__ import annotations

from torch import nn
from torch.optim import Optimizer


def apply() -> None:
    for kind in (Optimizer, nn.Module):
        _patch(kind, kind.zero_grad)


def _patch(kind, plain):
    kind.zero_grad = lambda self, set_to_none=True: plain(self, set_to_none=True)
