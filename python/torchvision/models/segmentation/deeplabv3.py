"""torchvision.models.segmentation.deeplabv3: a head that looks at several distances."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ._utils import _SimpleSegmentationModel, on_resnet
from .fcn import FCNHead

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor


class DeepLabV3(_SimpleSegmentationModel):
    """One head."""


class ASPPConv(nn.Sequential):
    def __init__(self, in_channels: int, out_channels: int, dilation: int) -> None:
        conv = nn.Conv2d(in_channels, out_channels, 3, padding=dilation, dilation=dilation, bias=False)
        super().__init__(conv, nn.BatchNorm2d(out_channels), nn.ReLU())


class ASPPPooling(nn.Sequential):
    def __init__(self, in_channels: int, out_channels: int) -> None:
        conv = nn.Conv2d(in_channels, out_channels, 1, bias=False)
        super().__init__(nn.AdaptiveAvgPool2d(1), conv, nn.BatchNorm2d(out_channels), nn.ReLU())

    def forward(self, x: Tensor) -> Tensor:
        size = x.shape[-2:]
        for mod in self:
            x = mod(x)
        return F.interpolate(x, size=size, mode="bilinear", align_corners=False)


class ASPP(nn.Module):
    def __init__(self, in_channels: int, atrous_rates: Sequence[int], out_channels: int = 256) -> None:
        super().__init__()
        point = nn.Sequential(
            nn.Conv2d(in_channels, out_channels, 1, bias=False), nn.BatchNorm2d(out_channels), nn.ReLU()
        )
        wide = [ASPPConv(in_channels, out_channels, rate) for rate in atrous_rates]
        self.convs = nn.ModuleList([point, *wide, ASPPPooling(in_channels, out_channels)])
        joined = nn.Conv2d(len(self.convs) * out_channels, out_channels, 1, bias=False)
        self.project = nn.Sequential(joined, nn.BatchNorm2d(out_channels), nn.ReLU(), nn.Dropout(0.5))

    def forward(self, x: Tensor) -> Tensor:
        res = []
        for conv in self.convs:
            res.append(conv(x))
        res = torch.cat(res, dim=1)
        return self.project(res)


class DeepLabHead(nn.Sequential):
    def __init__(self, in_channels: int, num_classes: int, atrous_rates: Sequence[int] = (12, 24, 36)) -> None:
        conv = nn.Conv2d(256, 256, 3, padding=1, bias=False)
        super().__init__(
            ASPP(in_channels, atrous_rates), conv, nn.BatchNorm2d(256), nn.ReLU(), nn.Conv2d(256, num_classes, 1)
        )


deeplabv3_resnet50, deeplabv3_resnet101 = (on_resnet(DeepLabV3, depth, DeepLabHead, FCNHead) for depth in (50, 101))
