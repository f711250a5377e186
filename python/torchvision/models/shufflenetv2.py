"""torchvision.models.shufflenetv2: ShuffleNet v2 of four widths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ._registry import builder

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


def channel_shuffle(x: Tensor, groups: int) -> Tensor:
    batchsize, num_channels, height, width = x.size()
    x = x.view(batchsize, groups, num_channels // groups, height, width)
    x = torch.transpose(x, 1, 2).contiguous()
    return x.view(batchsize, num_channels, height, width)


def _pointwise(inp, oup):
    return [
        nn.Conv2d(inp, oup, kernel_size=1, stride=1, padding=0, bias=False),
        nn.BatchNorm2d(oup),
        nn.ReLU(inplace=True),
    ]


class InvertedResidual(nn.Module):
    def __init__(self, inp: int, oup: int, stride: int) -> None:
        super().__init__()
        if not 1 <= stride <= 3:
            raise ValueError("illegal stride value")
        self.stride, half = stride, oup // 2
        first = inp if stride > 1 else half
        down = (
            [self.depthwise_conv(inp, inp, 3, stride, 1), nn.BatchNorm2d(inp), *_pointwise(inp, half)]
            if stride > 1
            else []
        )
        self.branch1 = nn.Sequential(*down)
        middle = [self.depthwise_conv(half, half, 3, stride, 1), nn.BatchNorm2d(half)]
        self.branch2 = nn.Sequential(*_pointwise(first, half), *middle, *_pointwise(half, half))

    @staticmethod
    def depthwise_conv(i: int, o: int, kernel_size: int, stride: int = 1, padding: int = 0, bias: bool = False) -> Any:
        return nn.Conv2d(i, o, kernel_size, stride, padding, bias=bias, groups=i)

    def forward(self, x: Tensor) -> Tensor:
        if self.stride == 1:
            x1, x2 = x.chunk(2, dim=1)
            out = torch.cat((x1, self.branch2(x2)), dim=1)
        else:
            out = torch.cat((self.branch1(x), self.branch2(x)), dim=1)
        return channel_shuffle(out, 2)


class ShuffleNetV2(nn.Module):
    def __init__(
        self,
        stages_repeats: list[int],
        stages_out_channels: list[int],
        num_classes: int = 1000,
        inverted_residual: Callable[..., torch.nn.Module] = InvertedResidual,
    ) -> None:
        super().__init__()
        first, *stages, last = stages_out_channels
        self.conv1 = nn.Sequential(
            nn.Conv2d(3, first, 3, 2, 1, bias=False), nn.BatchNorm2d(first), nn.ReLU(inplace=True)
        )
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        before = first
        for number, (repeats, out) in enumerate(zip(stages_repeats, stages), 2):
            blocks = [inverted_residual(before, out, 2), *(inverted_residual(out, out, 1) for _ in range(repeats - 1))]
            setattr(self, f"stage{number}", nn.Sequential(*blocks))
            before = out
        self.conv5 = nn.Sequential(*_pointwise(before, last))
        self.fc = nn.Linear(last, num_classes)

    def forward(self, x: Tensor) -> Tensor:
        x = self.conv1(x)
        x = self.maxpool(x)
        x = self.stage2(x)
        x = self.stage3(x)
        x = self.stage4(x)
        x = self.conv5(x)
        x = x.mean([2, 3])
        return self.fc(x)


def _of_width(name, *channels):
    return builder(name, ShuffleNetV2, stages_repeats=[4, 8, 4], stages_out_channels=list(channels))


shufflenet_v2_x0_5 = _of_width("shufflenet_v2_x0_5", 24, 48, 96, 192, 1024)
shufflenet_v2_x1_0 = _of_width("shufflenet_v2_x1_0", 24, 116, 232, 464, 1024)
shufflenet_v2_x1_5 = _of_width("shufflenet_v2_x1_5", 24, 176, 352, 704, 1024)
shufflenet_v2_x2_0 = _of_width("shufflenet_v2_x2_0", 24, 244, 488, 976, 2048)
