"""An activation whose result is scaled. gptqmodel/quantization/awq/modules/act.py: ScaledActivation"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

if TYPE_CHECKING:
    from torch import Tensor


class ScaledActivation(nn.Module):
    """`scales` [features] divide the activation of [batch, tokens, features]."""

    def __init__(self, module: nn.Module, scales: Tensor) -> None:
        super().__init__()
        self.act, self.scales = module, nn.Parameter(scales.data)

    def forward(self, x: Tensor) -> Tensor:
        result = self.act(x)
        return result / self.scales.view(1, 1, -1).to(x.device)
