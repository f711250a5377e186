"""torchvision.models._utils: rounding of channels, and modules whose intermediate results are wanted."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from torch import nn

if TYPE_CHECKING:
    from typing import Any

    import torch


def _make_divisible(v, divisor, min_value=None):
    """The nearest multiple of `divisor` that loses at most a tenth."""
    new = max(divisor if min_value is None else min_value, int(v + divisor / 2) // divisor * divisor)
    return new + divisor if new < 0.9 * v else new


class IntermediateLayerGetter(nn.ModuleDict):
    """Runs a model's children in order and returns the results of some by new names."""

    def __init__(self, model: torch.nn.Module, return_layers: dict[str, str]) -> None:
        wanted, layers = {str(k): str(v) for k, v in return_layers.items()}, OrderedDict()
        missing = dict(wanted)
        for name, module in model.named_children():
            layers[name] = module
            missing.pop(name, None)
            if not missing:
                break
        super().__init__(layers)
        self.return_layers = wanted

    def forward(self, x: Any) -> Any:
        out = OrderedDict()
        for name, module in self.items():
            x = module(x)
            if name in self.return_layers:
                out[self.return_layers[name]] = x
        return out
