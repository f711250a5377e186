"""MobileNet V3, large and small."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from torch import nn

from ..ops.misc import Conv2dNormActivation, SqueezeExcitation
from ._registry import builder
from ._utils import _make_divisible

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import torch
    from torch import Tensor


# Channels in, kernel, expanded, out, squeeze and excitation, hard swish, stride.
_LARGE = (
    (16, 3, 16, 16, 0, 0, 1), (16, 3, 64, 24, 0, 0, 2), (24, 3, 72, 24, 0, 0, 1), (24, 5, 72, 40, 1, 0, 2), (40, 5, 120, 40, 1, 0, 1),
    (40, 5, 120, 40, 1, 0, 1), (40, 3, 240, 80, 0, 1, 2), (80, 3, 200, 80, 0, 1, 1), (80, 3, 184, 80, 0, 1, 1), (80, 3, 184, 80, 0, 1, 1),
    (80, 3, 480, 112, 1, 1, 1), (112, 3, 672, 112, 1, 1, 1), (112, 5, 672, 160, 1, 1, 2), (160, 5, 960, 160, 1, 1, 1), (160, 5, 960, 160, 1, 1, 1),
)  # fmt: skip
_SMALL = (
    (16, 3, 16, 16, 1, 0, 2), (16, 3, 72, 24, 0, 0, 2), (24, 3, 88, 24, 0, 0, 1), (24, 5, 96, 40, 1, 1, 2), (40, 5, 240, 40, 1, 1, 1),
    (40, 5, 240, 40, 1, 1, 1), (40, 5, 120, 48, 1, 1, 1), (48, 5, 144, 48, 1, 1, 1), (48, 5, 288, 96, 1, 1, 2), (96, 5, 576, 96, 1, 1, 1),
    (96, 5, 576, 96, 1, 1, 1),
)  # fmt: skip


class InvertedResidual(nn.Module):
    """Widen, filter each channel, weigh channels, narrow."""

    def __init__(self, row: Any, norm_layer: Callable[..., torch.nn.Module]) -> None:
        super().__init__()
        inp, kernel, expanded, out, se, hs, stride = row
        self.use_res_connect = stride == 1 and inp == out
        activation, layers = nn.Hardswish if hs else nn.ReLU, []
        if expanded != inp:
            layers.append(
                Conv2dNormActivation(inp, expanded, kernel_size=1, norm_layer=norm_layer, activation_layer=activation)
            )
        layers.append(
            Conv2dNormActivation(
                expanded,
                expanded,
                kernel_size=kernel,
                stride=stride,
                groups=expanded,
                norm_layer=norm_layer,
                activation_layer=activation,
            )
        )
        if se:
            layers.append(
                SqueezeExcitation(expanded, _make_divisible(expanded // 4, 8), scale_activation=nn.Hardsigmoid)
            )
        layers.append(Conv2dNormActivation(expanded, out, kernel_size=1, norm_layer=norm_layer, activation_layer=None))
        self.block = nn.Sequential(*layers)

    def forward(self, input: Tensor) -> Tensor:
        result = self.block(input)
        if self.use_res_connect:
            result += input
        return result


class MobileNetV3(nn.Module):
    """Images [batch, 3, height, width] to [batch, num_classes]."""

    def __init__(
        self, rows: Any = _LARGE, last_channel: int = 1280, num_classes: int = 1000, dropout: float = 0.2
    ) -> None:
        super().__init__()
        norm_layer = partial(nn.BatchNorm2d, eps=0.001, momentum=0.01)
        layers = [
            Conv2dNormActivation(3, 16, kernel_size=3, stride=2, norm_layer=norm_layer, activation_layer=nn.Hardswish)
        ]
        layers += [InvertedResidual(row, norm_layer) for row in rows]
        inputs = rows[-1][3]
        layers.append(
            Conv2dNormActivation(
                inputs, 6 * inputs, kernel_size=1, norm_layer=norm_layer, activation_layer=nn.Hardswish
            )
        )
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(
            nn.Linear(6 * inputs, last_channel), nn.Hardswish(inplace=True), nn.Dropout(p=dropout, inplace=True), nn.Linear(last_channel, num_classes)
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        x = self.features(x)
        x = self.avgpool(x)
        x = x.flatten(1)
        x = self.classifier(x)
        return x


mobilenet_v3_large = builder("mobilenet_v3_large", MobileNetV3)
mobilenet_v3_small = builder("mobilenet_v3_small", MobileNetV3, rows=_SMALL, last_channel=1024)
