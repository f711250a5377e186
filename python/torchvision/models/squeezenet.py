"""SqueezeNet 1.0 and 1.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ._registry import builder

if TYPE_CHECKING:
    from torch import Tensor


class Fire(nn.Module):
    """A narrow 1 x 1 convolution, then 1 x 1 and 3 x 3 side by side."""

    def __init__(self, inplanes: int, squeeze_planes: int, expand1x1_planes: int, expand3x3_planes: int) -> None:
        super().__init__()
        self.squeeze = nn.Conv2d(inplanes, squeeze_planes, 1)
        self.squeeze_activation = nn.ReLU(inplace=True)
        self.expand1x1 = nn.Conv2d(squeeze_planes, expand1x1_planes, 1)
        self.expand1x1_activation = nn.ReLU(inplace=True)
        self.expand3x3 = nn.Conv2d(squeeze_planes, expand3x3_planes, 3, padding=1)
        self.expand3x3_activation = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        x = self.squeeze_activation(self.squeeze(x))
        return torch.cat(
            [self.expand1x1_activation(self.expand1x1(x)), self.expand3x3_activation(self.expand3x3(x))], 1
        )


class SqueezeNet(nn.Module):
    """Images [batch, 3, height, width] to [batch, num_classes]."""

    def __init__(self, version: str = "1_0", num_classes: int = 1000, dropout: float = 0.5) -> None:
        super().__init__()
        pool = lambda: nn.MaxPool2d(kernel_size=3, stride=2, ceil_mode=True)
        fires = [Fire(i, s, e, e) for i, s, e in ((96 if version == "1_0" else 64, 16, 64), (128, 16, 64), (128, 32, 128), (256, 32, 128), (256, 48, 192), (384, 48, 192), (384, 64, 256), (512, 64, 256))]  # fmt: skip
        first = nn.Conv2d(3, 96, 7, 2) if version == "1_0" else nn.Conv2d(3, 64, 3, 2)
        cuts = (3, 7) if version == "1_0" else (2, 4)
        parts = [first, nn.ReLU(inplace=True), pool()]
        for i, fire in enumerate(fires):
            if i in cuts:
                parts.append(pool())
            parts.append(fire)
        self.features = nn.Sequential(*parts)
        self.classifier = nn.Sequential(
            nn.Dropout(dropout), nn.Conv2d(512, num_classes, 1), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d((1, 1))
        )

    def forward(self, x: Tensor) -> Tensor:
        x = self.features(x)
        x = self.classifier(x)
        return torch.flatten(x, 1)


squeezenet1_0 = builder("squeezenet1_0", SqueezeNet, version="1_0")
squeezenet1_1 = builder("squeezenet1_1", SqueezeNet, version="1_1")
