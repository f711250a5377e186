"""MobileNet V2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from ..ops.misc import Conv2dNormActivation
from ._registry import builder
from ._utils import _make_divisible

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch
    from torch import Tensor


class InvertedResidual(nn.Module):
    """Widen, filter each channel, narrow; beside the identity where sizes agree."""

    def __init__(
        self,
        inp: int,
        oup: int,
        stride: int,
        expand_ratio: int,
        norm_layer: Callable[..., torch.nn.Module] | None = nn.BatchNorm2d,
    ) -> None:
        super().__init__()
        hidden = int(round(inp * expand_ratio))
        self.use_res_connect = stride == 1 and inp == oup
        layers = []
        if expand_ratio != 1:
            layers.append(
                Conv2dNormActivation(inp, hidden, kernel_size=1, norm_layer=norm_layer, activation_layer=nn.ReLU6)
            )
        layers += [
            Conv2dNormActivation(
                hidden, hidden, stride=stride, groups=hidden, norm_layer=norm_layer, activation_layer=nn.ReLU6
            ),
            nn.Conv2d(hidden, oup, 1, 1, 0, bias=False),
            norm_layer(oup),
        ]
        self.conv = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        if self.use_res_connect:
            return x + self.conv(x)
        return self.conv(x)


class MobileNetV2(nn.Module):
    """Images [batch, 3, height, width] to [batch, num_classes]."""

    def __init__(self, num_classes: int = 1000, width_mult: float = 1.0, inverted_residual_setting: list[list[int]] | None = None, round_nearest: int = 8, block: Callable[..., torch.nn.Module] | None = None, norm_layer: Callable[..., torch.nn.Module] | None = None, dropout: float = 0.2) -> None:  # fmt: skip
        super().__init__()
        block, norm_layer = block or InvertedResidual, norm_layer or nn.BatchNorm2d
        setting = inverted_residual_setting or ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))  # fmt: skip
        channels = _make_divisible(32 * width_mult, round_nearest)
        self.last_channel = _make_divisible(1280 * max(1.0, width_mult), round_nearest)
        features = [Conv2dNormActivation(3, channels, stride=2, norm_layer=norm_layer, activation_layer=nn.ReLU6)]
        for t, c, n, s in setting:
            output = _make_divisible(c * width_mult, round_nearest)
            for i in range(n):
                features.append(block(channels, output, s if i == 0 else 1, expand_ratio=t, norm_layer=norm_layer))
                channels = output
        features.append(
            Conv2dNormActivation(
                channels, self.last_channel, kernel_size=1, norm_layer=norm_layer, activation_layer=nn.ReLU6
            )
        )
        self.features = nn.Sequential(*features)
        self.classifier = nn.Sequential(nn.Dropout(p=dropout), nn.Linear(self.last_channel, num_classes))

    def forward(self, x: Tensor) -> Tensor:
        x = self.features(x)
        x = nn.functional.adaptive_avg_pool2d(x, (1, 1))
        x = x.flatten(1)
        x = self.classifier(x)
        return x


mobilenet_v2 = builder("mobilenet_v2", MobileNetV2)
