"""A linear layer whose weight is [in, out], as GPT-2 has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

if TYPE_CHECKING:
    from torch import Tensor


class Conv1D(nn.Module):
    def __init__(self, out_features: int, in_features: int) -> None:
        super().__init__()
        self.nf, self.nx = out_features, in_features
        self.weight = nn.Parameter(torch.empty(in_features, out_features))
        self.bias = nn.Parameter(torch.zeros(out_features))

    def forward(self, x: Tensor) -> Tensor:
        shape = x.size()[:-1] + (self.nf,)
        x = torch.addmm(self.bias, x.view(-1, x.size(-1)), self.weight)
        x = x.view(shape)
        return x

    def __repr__(self) -> str:
        return f"Conv1D(nf={self.nf}, nx={self.nx})"
