"""torchvision.models.segmentation.fcn: a fully convolutional head."""

from __future__ import annotations

from torch import nn

from ._utils import _SimpleSegmentationModel, on_resnet


class FCN(_SimpleSegmentationModel):
    """One head."""


class FCNHead(nn.Sequential):
    def __init__(self, in_channels: int, channels: int) -> None:
        inner = in_channels // 4
        first = nn.Conv2d(in_channels, inner, 3, padding=1, bias=False)
        super().__init__(first, nn.BatchNorm2d(inner), nn.ReLU(), nn.Dropout(0.1), nn.Conv2d(inner, channels, 1))


fcn_resnet50, fcn_resnet101 = (on_resnet(FCN, depth, FCNHead, FCNHead) for depth in (50, 101))
