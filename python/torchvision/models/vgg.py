"""VGG networks: convolutions in five stages, then three linear layers."""

import torch
from torch import nn
from torch._stand_ins import lacks

__getattr__ = lacks("torchvision.models.vgg")
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
        return self.classifier(x)


def _made(counts, normed):
    def make(*, weights=None, progress=True, pretrained=False, **options):
        """`weights` are not downloaded: sizes are the same without."""
        return VGG(_features(counts, normed), **options)

    return make


vgg11, vgg11_bn = (_made((1, 1, 2, 2, 2), normed) for normed in (False, True))
vgg13, vgg13_bn = (_made((2, 2, 2, 2, 2), normed) for normed in (False, True))
vgg16, vgg16_bn = (_made((2, 2, 3, 3, 3), normed) for normed in (False, True))
vgg19, vgg19_bn = (_made((2, 2, 4, 4, 4), normed) for normed in (False, True))
