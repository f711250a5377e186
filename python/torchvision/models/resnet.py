"""Residual networks of 18 to 152 layers."""

import torch
from torch import nn
from torch._stand_ins import lacks

__getattr__ = lacks("torchvision.models.resnet")


def _conv(inputs, outputs, size, stride=1):
    return nn.Conv2d(inputs, outputs, kernel_size=size, stride=stride, padding=size // 2, bias=False)


class BasicBlock(nn.Module):
    """Two 3 x 3 convolutions beside the identity."""

    expansion = 1

    def __init__(self, inputs, width, stride, downsample):
        super().__init__()
        self.conv1 = _conv(inputs, width, 3, stride)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = _conv(width, width, 3)
        self.bn2 = nn.BatchNorm2d(width)
        self.downsample = downsample

    def forward(self, x):
        identity = x
        out = self.conv1(x)
        out = self.bn1(out)
        out = self.relu(out)
        out = self.conv2(out)
        out = self.bn2(out)
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class Bottleneck(nn.Module):
    """1 x 1, 3 x 3 and 1 x 1 convolutions beside the identity; the stride is the middle one's."""

    expansion = 4

    def __init__(self, inputs, width, stride, downsample):
        super().__init__()
        self.conv1 = _conv(inputs, width, 1)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = _conv(width, width, 3, stride)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = _conv(width, 4 * width, 1)
        self.bn3 = nn.BatchNorm2d(4 * width)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = downsample

    def forward(self, x):
        identity = x
        out = self.conv1(x)
        out = self.bn1(out)
        out = self.relu(out)
        out = self.conv2(out)
        out = self.bn2(out)
        out = self.relu(out)
        out = self.conv3(out)
        out = self.bn3(out)
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class ResNet(nn.Module):
    """Images [batch, 3, height, width] to [batch, num_classes]."""

    def __init__(self, block, layers, num_classes=1000):
        super().__init__()
        self.inputs = 64
        self.conv1 = nn.Conv2d(3, 64, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        for i, count in enumerate(layers):
            setattr(self, f"layer{i + 1}", self._stage(block, 64 << i, count, 1 if i == 0 else 2))
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * block.expansion, num_classes)

    def _stage(self, block, width, count, stride):
        outputs = width * block.expansion
        downsample = None
        if stride != 1 or self.inputs != outputs:
            downsample = nn.Sequential(_conv(self.inputs, outputs, 1, stride), nn.BatchNorm2d(outputs))
        blocks = [block(self.inputs, width, stride, downsample)]
        self.inputs = outputs
        blocks += [block(outputs, width, 1, None) for _ in range(count - 1)]
        return nn.Sequential(*blocks)

    def forward(self, x):
        x = self.conv1(x)
        x = self.bn1(x)
        x = self.relu(x)
        x = self.maxpool(x)
        x = self.layer1(x)
        x = self.layer2(x)
        x = self.layer3(x)
        x = self.layer4(x)
        x = self.avgpool(x)
        x = torch.flatten(x, 1)
        return self.fc(x)


def _made(block, layers):
    def make(*, weights=None, progress=True, pretrained=False, **options):
        """`weights` are not downloaded: sizes are the same without."""
        return ResNet(block, layers, **options)

    return make


resnet18, resnet34 = _made(BasicBlock, (2, 2, 2, 2)), _made(BasicBlock, (3, 4, 6, 3))
resnet50, resnet101, resnet152 = (_made(Bottleneck, layers) for layers in ((3, 4, 6, 3), (3, 4, 23, 3), (3, 8, 36, 3)))
