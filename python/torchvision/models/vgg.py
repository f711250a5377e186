"""VGG networks: convolutions in five stages, then three linear layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch._stand_ins import lacks

from ._registry import builder, weights_class

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


_lacks = lacks("torchvision.models.vgg")


def __getattr__(name: str) -> Any:
    return weights_class(name) if name.endswith("_Weights") else _lacks(name)


cfgs = {
    "A": [64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"],
    "B": [64, 64, "M", 128, 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"],
    "D": [64, 64, "M", 128, 128, "M", *[256] * 3, "M", *[512] * 3, "M", *[512] * 3, "M"],
    "E": [64, 64, "M", 128, 128, "M", *[256] * 4, "M", *[512] * 4, "M", *[512] * 4, "M"],
}


def make_layers(cfg: list[str | int], batch_norm: bool = False) -> Any:
    """Convolutions of the widths in `cfg`; "M" is a pool."""
    layers, inputs = [], 3
    for width in cfg:
        if width == "M":
            layers.append(nn.MaxPool2d(kernel_size=2, stride=2))
            continue
        layers.append(nn.Conv2d(inputs, width, kernel_size=3, padding=1))
        layers += [nn.BatchNorm2d(width)] if batch_norm else []
        layers.append(nn.ReLU(inplace=True))
        inputs = width
    return nn.Sequential(*layers)


class VGG(nn.Module):
    """Images [batch, 3, height, width] to [batch, num_classes]."""

    def __init__(self, features: torch.nn.Module, num_classes: int = 1000, dropout: float = 0.5) -> None:
        super().__init__()
        self.features = features
        self.avgpool = nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = nn.Sequential(
            nn.Linear(512 * 7 * 7, 4096),
            nn.ReLU(True),
            nn.Dropout(p=dropout),
            nn.Linear(4096, 4096),
            nn.ReLU(True),
            nn.Dropout(p=dropout),
            nn.Linear(4096, num_classes),
        )

    def forward(self, x: Tensor) -> Tensor:
        x = self.features(x)
        x = self.avgpool(x)
        x = torch.flatten(x, 1)
        x = self.classifier(x)
        return x


def _made(name, cfg):
    plain = builder(name, lambda **options: VGG(make_layers(cfgs[cfg]), **options))
    return plain, builder(f"{name}_bn", lambda **options: VGG(make_layers(cfgs[cfg], batch_norm=True), **options))


vgg11, vgg11_bn = _made("vgg11", "A")
vgg13, vgg13_bn = _made("vgg13", "B")
vgg16, vgg16_bn = _made("vgg16", "D")
vgg19, vgg19_bn = _made("vgg19", "E")
