"""Residual networks of 18 to 152 layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch._stand_ins import lacks

from ._registry import builder, weights_class

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from torch import Tensor


_lacks = lacks("torchvision.models.resnet")


def __getattr__(name: str) -> Any:
    return weights_class(name) if name.endswith("_Weights") else _lacks(name)


def _conv(inputs, outputs, size, stride=1, groups=1, dilation=1):
    padding = dilation if size == 3 else size // 2
    return nn.Conv2d(inputs, outputs, size, stride, padding, dilation, groups, bias=False)


def conv3x3(in_planes: int, out_planes: int, stride: int = 1, groups: int = 1, dilation: int = 1) -> Any:
    return _conv(in_planes, out_planes, 3, stride, groups, dilation)


def conv1x1(in_planes: int, out_planes: int, stride: int = 1) -> Any:
    return _conv(in_planes, out_planes, 1, stride)


class BasicBlock(nn.Module):
    """Two 3 x 3 convolutions beside the identity."""

    expansion = 1

    def __init__(
        self,
        inplanes: int,
        planes: int,
        stride: int = 1,
        downsample: torch.nn.Module | None = None,
        groups: int = 1,
        base_width: int = 64,
        dilation: int = 1,
        norm_layer: Callable[..., torch.nn.Module] | None = None,
    ) -> None:
        super().__init__()
        norm_layer = norm_layer or nn.BatchNorm2d
        if groups != 1 or base_width != 64:
            raise ValueError("BasicBlock only supports groups=1 and base_width=64")
        if dilation > 1:
            raise NotImplementedError("Dilation > 1 not supported in BasicBlock")
        self.conv1 = _conv(inplanes, planes, 3, stride)
        self.bn1 = norm_layer(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = _conv(planes, planes, 3)
        self.bn2 = norm_layer(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Tensor) -> Tensor:
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

    def __init__(
        self,
        inplanes: int,
        planes: int,
        stride: int = 1,
        downsample: torch.nn.Module | None = None,
        groups: int = 1,
        base_width: int = 64,
        dilation: int = 1,
        norm_layer: Callable[..., torch.nn.Module] | None = None,
    ) -> None:
        super().__init__()
        norm_layer = norm_layer or nn.BatchNorm2d
        width = int(planes * (base_width / 64.0)) * groups
        self.conv1 = _conv(inplanes, width, 1)
        self.bn1 = norm_layer(width)
        self.conv2 = _conv(width, width, 3, stride, groups, dilation)
        self.bn2 = norm_layer(width)
        self.conv3 = _conv(width, 4 * planes, 1)
        self.bn3 = norm_layer(4 * planes)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Tensor) -> Tensor:
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

    def __init__(self, block: type[BasicBlock | Bottleneck], layers: Sequence[int], num_classes: int = 1000, zero_init_residual: bool = False, groups: int = 1, width_per_group: int = 64, replace_stride_with_dilation: list[bool] | None = None, norm_layer: Callable[..., torch.nn.Module] | None = None) -> None:  # fmt: skip
        super().__init__()
        self._norm_layer = norm_layer = norm_layer or nn.BatchNorm2d
        self.inplanes, self.dilation, self.groups, self.base_width = 64, 1, groups, width_per_group
        dilate = replace_stride_with_dilation or (False, False, False)
        self.conv1 = nn.Conv2d(3, self.inplanes, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = norm_layer(self.inplanes)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        for i, count in enumerate(layers):
            setattr(
                self,
                f"layer{i + 1}",
                self._make_layer(block, 64 << i, count, 1 if i == 0 else 2, i > 0 and dilate[i - 1]),
            )
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * block.expansion, num_classes)

    def _make_layer(self, block, planes, blocks, stride=1, dilate=False):
        norm_layer, before = self._norm_layer, self.dilation
        if dilate:
            self.dilation *= stride
            stride = 1
        downsample, outputs = None, planes * block.expansion
        if stride != 1 or self.inplanes != outputs:
            downsample = nn.Sequential(_conv(self.inplanes, outputs, 1, stride), norm_layer(outputs))
        shared = {"groups": self.groups, "base_width": self.base_width, "norm_layer": norm_layer}
        made = [block(self.inplanes, planes, stride, downsample, dilation=before, **shared)]
        self.inplanes = outputs
        made += [block(outputs, planes, dilation=self.dilation, **shared) for _ in range(blocks - 1)]
        return nn.Sequential(*made)

    def forward(self, x: Tensor) -> Tensor:
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
        x = self.fc(x)
        return x


_DEEP = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}
resnet18 = builder("resnet18", ResNet, block=BasicBlock, layers=(2, 2, 2, 2))
resnet34 = builder("resnet34", ResNet, block=BasicBlock, layers=(3, 4, 6, 3))
resnet50, resnet101, resnet152 = (builder(f"resnet{n}", ResNet, block=Bottleneck, layers=_DEEP[n]) for n in _DEEP)
resnext50_32x4d = builder("resnext50_32x4d", ResNet, block=Bottleneck, layers=_DEEP[50], groups=32, width_per_group=4)
resnext101_32x8d = builder(
    "resnext101_32x8d", ResNet, block=Bottleneck, layers=_DEEP[101], groups=32, width_per_group=8
)
resnext101_64x4d = builder(
    "resnext101_64x4d", ResNet, block=Bottleneck, layers=_DEEP[101], groups=64, width_per_group=4
)
wide_resnet50_2 = builder("wide_resnet50_2", ResNet, block=Bottleneck, layers=_DEEP[50], width_per_group=128)
wide_resnet101_2 = builder("wide_resnet101_2", ResNet, block=Bottleneck, layers=_DEEP[101], width_per_group=128)
