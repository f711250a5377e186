"""torchvision.models.inception: Inception v3."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ._registry import builder

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


InceptionOutputs = _InceptionOutputs = namedtuple("InceptionOutputs", ["logits", "aux_logits"])


class BasicConv2d(nn.Module):
    def __init__(self, in_channels: int, out_channels: int, **kwargs: Any) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, bias=False, **kwargs)
        self.bn = nn.BatchNorm2d(out_channels, eps=0.001)

    def forward(self, x: Tensor) -> Tensor:
        x = self.conv(x)
        x = self.bn(x)
        return F.relu(x, inplace=True)


def _square(size, **more):
    return {"kernel_size": size, "padding": size // 2, **more}


_POINT, _ROW, _COLUMN = (
    {"kernel_size": 1},
    {"kernel_size": (1, 7), "padding": (0, 3)},
    {"kernel_size": (7, 1), "padding": (3, 0)},
)
_SHORT_ROW, _SHORT_COLUMN = {"kernel_size": (1, 3), "padding": (0, 1)}, {"kernel_size": (3, 1), "padding": (1, 0)}
_DOWN = {"kernel_size": 3, "stride": 2}


class _Block(nn.Module):
    """Branches of convolutions, each under its name; `_forward` gives their results in a list."""

    def _convs(self, conv_block, channels, **convs):
        """A branch, name=(channels out, how); two that read the same end in a and b."""
        for name, (out, how) in convs.items():
            setattr(self, name, (conv_block or BasicConv2d)(channels, out, **how))
            channels = channels if name.endswith("a") else out

    def forward(self, x: Any) -> Any:
        return torch.cat(self._forward(x), 1)


def _through(block, x, *names):
    for name in names:
        x = getattr(block, name)(x)
    return x


def _average(x):
    return F.avg_pool2d(x, kernel_size=3, stride=1, padding=1)


class InceptionA(_Block):
    def __init__(
        self, in_channels: int, pool_features: int, conv_block: Callable[..., torch.nn.Module] | None = None
    ) -> None:
        super().__init__()
        self._convs(conv_block, in_channels, branch1x1=(64, _POINT))
        self._convs(conv_block, in_channels, branch5x5_1=(48, _POINT), branch5x5_2=(64, _square(5)))
        self._convs(
            conv_block,
            in_channels,
            branch3x3dbl_1=(64, _POINT),
            branch3x3dbl_2=(96, _square(3)),
            branch3x3dbl_3=(96, _square(3)),
        )
        self._convs(conv_block, in_channels, branch_pool=(pool_features, _POINT))

    def _forward(self, x):
        branch1x1 = self.branch1x1(x)
        branch5x5 = _through(self, x, "branch5x5_1", "branch5x5_2")
        branch3x3dbl = _through(self, x, "branch3x3dbl_1", "branch3x3dbl_2", "branch3x3dbl_3")
        branch_pool = self.branch_pool(_average(x))
        return [branch1x1, branch5x5, branch3x3dbl, branch_pool]


class InceptionB(_Block):
    def __init__(self, in_channels: int, conv_block: Callable[..., torch.nn.Module] | None = None) -> None:
        super().__init__()
        self._convs(conv_block, in_channels, branch3x3=(384, _DOWN))
        self._convs(
            conv_block,
            in_channels,
            branch3x3dbl_1=(64, _POINT),
            branch3x3dbl_2=(96, _square(3)),
            branch3x3dbl_3=(96, _DOWN),
        )

    def _forward(self, x):
        branch3x3 = self.branch3x3(x)
        branch3x3dbl = _through(self, x, "branch3x3dbl_1", "branch3x3dbl_2", "branch3x3dbl_3")
        return [branch3x3, branch3x3dbl, F.max_pool2d(x, kernel_size=3, stride=2)]


class InceptionC(_Block):
    def __init__(
        self, in_channels: int, channels_7x7: int, conv_block: Callable[..., torch.nn.Module] | None = None
    ) -> None:
        super().__init__()
        c7 = channels_7x7
        self._convs(conv_block, in_channels, branch1x1=(192, _POINT))
        self._convs(
            conv_block, in_channels, branch7x7_1=(c7, _POINT), branch7x7_2=(c7, _ROW), branch7x7_3=(192, _COLUMN)
        )
        self._convs(
            conv_block,
            in_channels,
            branch7x7dbl_1=(c7, _POINT),
            branch7x7dbl_2=(c7, _COLUMN),
            branch7x7dbl_3=(c7, _ROW),
            branch7x7dbl_4=(c7, _COLUMN),
            branch7x7dbl_5=(192, _ROW),
        )
        self._convs(conv_block, in_channels, branch_pool=(192, _POINT))

    def _forward(self, x):
        branch1x1 = self.branch1x1(x)
        branch7x7 = _through(self, x, *(f"branch7x7_{i}" for i in range(1, 4)))
        branch7x7dbl = _through(self, x, *(f"branch7x7dbl_{i}" for i in range(1, 6)))
        return [branch1x1, branch7x7, branch7x7dbl, self.branch_pool(_average(x))]


class InceptionD(_Block):
    def __init__(self, in_channels: int, conv_block: Callable[..., torch.nn.Module] | None = None) -> None:
        super().__init__()
        self._convs(conv_block, in_channels, branch3x3_1=(192, _POINT), branch3x3_2=(320, _DOWN))
        self._convs(
            conv_block,
            in_channels,
            branch7x7x3_1=(192, _POINT),
            branch7x7x3_2=(192, _ROW),
            branch7x7x3_3=(192, _COLUMN),
            branch7x7x3_4=(192, _DOWN),
        )

    def _forward(self, x):
        branch3x3 = _through(self, x, "branch3x3_1", "branch3x3_2")
        branch7x7x3 = _through(self, x, *(f"branch7x7x3_{i}" for i in range(1, 5)))
        return [branch3x3, branch7x7x3, F.max_pool2d(x, kernel_size=3, stride=2)]


class InceptionE(_Block):
    def __init__(self, in_channels: int, conv_block: Callable[..., torch.nn.Module] | None = None) -> None:
        super().__init__()
        self._convs(conv_block, in_channels, branch1x1=(320, _POINT))
        self._convs(
            conv_block,
            in_channels,
            branch3x3_1=(384, _POINT),
            branch3x3_2a=(384, _SHORT_ROW),
            branch3x3_2b=(384, _SHORT_COLUMN),
        )
        self._convs(
            conv_block,
            in_channels,
            branch3x3dbl_1=(448, _POINT),
            branch3x3dbl_2=(384, _square(3)),
            branch3x3dbl_3a=(384, _SHORT_ROW),
            branch3x3dbl_3b=(384, _SHORT_COLUMN),
        )
        self._convs(conv_block, in_channels, branch_pool=(192, _POINT))

    def _forward(self, x):
        branch1x1 = self.branch1x1(x)
        branch3x3 = self.branch3x3_1(x)
        branch3x3 = [self.branch3x3_2a(branch3x3), self.branch3x3_2b(branch3x3)]
        branch3x3 = torch.cat(branch3x3, 1)
        branch3x3dbl = self.branch3x3dbl_2(self.branch3x3dbl_1(x))
        branch3x3dbl = [self.branch3x3dbl_3a(branch3x3dbl), self.branch3x3dbl_3b(branch3x3dbl)]
        branch3x3dbl = torch.cat(branch3x3dbl, 1)
        return [branch1x1, branch3x3, branch3x3dbl, self.branch_pool(_average(x))]


class InceptionAux(nn.Module):
    def __init__(
        self, in_channels: int, num_classes: int, conv_block: Callable[..., torch.nn.Module] | None = None
    ) -> None:
        super().__init__()
        conv_block = conv_block or BasicConv2d
        self.conv0 = conv_block(in_channels, 128, kernel_size=1)
        self.conv1 = conv_block(128, 768, kernel_size=5)
        self.fc = nn.Linear(768, num_classes)

    def forward(self, x: Tensor) -> Tensor:
        x = F.avg_pool2d(x, kernel_size=5, stride=3)
        x = self.conv1(self.conv0(x))
        x = torch.flatten(F.adaptive_avg_pool2d(x, (1, 1)), 1)
        return self.fc(x)


class Inception3(nn.Module):
    def __init__(
        self,
        num_classes: int = 1000,
        aux_logits: bool = True,
        transform_input: bool = False,
        inception_blocks: list[Callable[..., torch.nn.Module]] | None = None,
        init_weights: bool | None = None,
        dropout: float = 0.5,
    ) -> None:
        super().__init__()
        own = [BasicConv2d, InceptionA, InceptionB, InceptionC, InceptionD, InceptionE, InceptionAux]
        conv, a, b, c, d, e, aux = inception_blocks or own
        self.aux_logits, self.transform_input = aux_logits, transform_input
        self.Conv2d_1a_3x3 = conv(3, 32, kernel_size=3, stride=2)
        self.Conv2d_2a_3x3 = conv(32, 32, kernel_size=3)
        self.Conv2d_2b_3x3 = conv(32, 64, kernel_size=3, padding=1)
        self.maxpool1 = nn.MaxPool2d(kernel_size=3, stride=2)
        self.Conv2d_3b_1x1 = conv(64, 80, kernel_size=1)
        self.Conv2d_4a_3x3 = conv(80, 192, kernel_size=3)
        self.maxpool2 = nn.MaxPool2d(kernel_size=3, stride=2)
        self.Mixed_5b, self.Mixed_5c, self.Mixed_5d = a(192, 32), a(256, 64), a(288, 64)
        self.Mixed_6a = b(288)
        self.Mixed_6b, self.Mixed_6c, self.Mixed_6d, self.Mixed_6e = c(768, 128), c(768, 160), c(768, 160), c(768, 192)
        self.AuxLogits = aux(768, num_classes) if aux_logits else None
        self.Mixed_7a, self.Mixed_7b, self.Mixed_7c = d(768), e(1280), e(2048)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.dropout = nn.Dropout(p=dropout)
        self.fc = nn.Linear(2048, num_classes)

    def _transform_input(self, x):
        if self.transform_input:
            parts = [
                x[:, i].unsqueeze(1) * (std / 0.5) + (mean - 0.5) / 0.5
                for i, (std, mean) in enumerate(((0.229, 0.485), (0.224, 0.456), (0.225, 0.406)))
            ]
            x = torch.cat(parts, 1)
        return x

    def forward(self, x: Tensor) -> Any:
        x = self._transform_input(x)
        x = self.Conv2d_1a_3x3(x)
        x = self.Conv2d_2a_3x3(x)
        x = self.Conv2d_2b_3x3(x)
        x = self.maxpool1(x)
        x = self.Conv2d_3b_1x1(x)
        x = self.Conv2d_4a_3x3(x)
        x = self.maxpool2(x)
        x = self.Mixed_5b(x)
        x = self.Mixed_5c(x)
        x = self.Mixed_5d(x)
        x = self.Mixed_6a(x)
        x = self.Mixed_6b(x)
        x = self.Mixed_6c(x)
        x = self.Mixed_6d(x)
        x = self.Mixed_6e(x)
        aux = self.AuxLogits(x) if self.AuxLogits is not None and self.training else None
        x = self.Mixed_7a(x)
        x = self.Mixed_7b(x)
        x = self.Mixed_7c(x)
        x = self.avgpool(x)
        x = self.dropout(x)
        x = torch.flatten(x, 1)
        x = self.fc(x)
        return InceptionOutputs(x, aux) if self.training and self.aux_logits else x


inception_v3 = builder("inception_v3", Inception3)
