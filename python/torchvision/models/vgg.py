"""VGG networks: convolutions in five stages, then three linear layers."""

import torch
from torch import nn
from torch._stand_ins import lacks

from ._registry import builder, weights_class

_lacks = lacks("torchvision.models.vgg")


def __getattr__(name):
    return weights_class(name) if name.endswith("_Weights") else _lacks(name)


_WIDTHS = (64, 128, 256, 512, 512)


def _features(counts, normed):
    layers, inputs = [], 3
    for width, count in zip(_WIDTHS, counts):
        for _ in range(count):
            layers.append(nn.Conv2d(inputs, width, kernel_size=3, padding=1))
            layers += [nn.BatchNorm2d(width)] if normed else []
            layers.append(nn.ReLU(inplace=True))
            inputs = width
        layers.append(nn.MaxPool2d(kernel_size=2, stride=2))
    return nn.Sequential(*layers)


class VGG(nn.Module):
    """Images [batch, 3, height, width] to [batch, num_classes]."""

    def __init__(self, features, num_classes=1000, dropout=0.5):
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

    def forward(self, x):
        x = self.features(x)
        x = self.avgpool(x)
        x = torch.flatten(x, 1)
        x = self.classifier(x)
        return x


def _made(name, counts):
    plain = builder(name, lambda **options: VGG(_features(counts, False), **options))
    return plain, builder(f"{name}_bn", lambda **options: VGG(_features(counts, True), **options))


vgg11, vgg11_bn = _made("vgg11", (1, 1, 2, 2, 2))
vgg13, vgg13_bn = _made("vgg13", (2, 2, 2, 2, 2))
vgg16, vgg16_bn = _made("vgg16", (2, 2, 3, 3, 3))
vgg19, vgg19_bn = _made("vgg19", (2, 2, 4, 4, 4))
