"""ConvNeXt."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import nn

from ..ops.misc import Conv2dNormActivation, Permute
from ..ops.stochastic_depth import StochasticDepth
from ._registry import builder

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


class LayerNorm2d(nn.LayerNorm):
    """Over channels of [batch, channels, height, width]."""

    def forward(self, x: Tensor) -> Tensor:
        x = x.permute(0, 2, 3, 1)
        x = F.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)
        x = x.permute(0, 3, 1, 2)
        return x


class CNBlock(nn.Module):
    """A wide filter of each channel, then two linear layers."""

    def __init__(
        self,
        dim: int,
        layer_scale: float,
        stochastic_depth_prob: float,
        norm_layer: Callable[..., torch.nn.Module] | None = None,
    ) -> None:
        super().__init__()
        self.block = nn.Sequential(
            nn.Conv2d(dim, dim, kernel_size=7, padding=3, groups=dim, bias=True),
            Permute([0, 2, 3, 1]),
            partial(nn.LayerNorm, eps=1e-6)(dim),
            nn.Linear(dim, 4 * dim, bias=True),
            nn.GELU(),
            nn.Linear(4 * dim, dim, bias=True),
            Permute([0, 3, 1, 2]),
        )
        self.layer_scale = nn.Parameter(torch.ones(dim, 1, 1) * layer_scale)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")

    def forward(self, input: Tensor) -> Tensor:
        result = self.layer_scale * self.block(input)
        result = self.stochastic_depth(result)
        result += input
        return result


class ConvNeXt(nn.Module):
    """Images [batch, 3, height, width] to [batch, num_classes]."""

    def __init__(
        self, rows: Any, stochastic_depth_prob: float = 0.0, layer_scale: float = 1e-6, num_classes: int = 1000
    ) -> None:
        super().__init__()
        norm_layer = partial(LayerNorm2d, eps=1e-6)
        layers = [
            Conv2dNormActivation(
                3,
                rows[0][0],
                kernel_size=4,
                stride=4,
                padding=0,
                norm_layer=norm_layer,
                activation_layer=None,
                bias=True,
            )
        ]
        total, done = sum(n for _, n in rows), 0
        for i, (width, count) in enumerate(rows):
            stage = []
            for _ in range(count):
                stage.append(CNBlock(width, layer_scale, stochastic_depth_prob * done / (total - 1.0)))
                done += 1
            layers.append(nn.Sequential(*stage))
            if i + 1 < len(rows):
                layers.append(
                    nn.Sequential(norm_layer(width), nn.Conv2d(width, rows[i + 1][0], kernel_size=2, stride=2))
                )
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        last = rows[-1][0]
        self.classifier = nn.Sequential(norm_layer(last), nn.Flatten(1), nn.Linear(last, num_classes))

    def forward(self, x: Tensor) -> Tensor:
        x = self.features(x)
        x = self.avgpool(x)
        x = self.classifier(x)
        return x


def _rows(widths, counts):
    return tuple(zip(widths, counts))


convnext_tiny = builder(
    "convnext_tiny", ConvNeXt, rows=_rows((96, 192, 384, 768), (3, 3, 9, 3)), stochastic_depth_prob=0.1
)
convnext_small = builder(
    "convnext_small", ConvNeXt, rows=_rows((96, 192, 384, 768), (3, 3, 27, 3)), stochastic_depth_prob=0.4
)
convnext_base = builder(
    "convnext_base", ConvNeXt, rows=_rows((128, 256, 512, 1024), (3, 3, 27, 3)), stochastic_depth_prob=0.5
)
convnext_large = builder(
    "convnext_large", ConvNeXt, rows=_rows((192, 384, 768, 1536), (3, 3, 27, 3)), stochastic_depth_prob=0.5
)
