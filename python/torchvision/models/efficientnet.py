"""EfficientNet B0 to B7 and V2."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from torch import nn

from ..ops.misc import Conv2dNormActivation, SqueezeExcitation
from ..ops.stochastic_depth import StochasticDepth
from ._registry import builder
from ._utils import _make_divisible

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import torch
    from torch import Tensor


# Kind, expansion, kernel, stride, channels in and out, layers.
_B = (("mb", 1, 3, 1, 32, 16, 1), ("mb", 6, 3, 2, 16, 24, 2), ("mb", 6, 5, 2, 24, 40, 2), ("mb", 6, 3, 2, 40, 80, 3), ("mb", 6, 5, 1, 80, 112, 3), ("mb", 6, 5, 2, 112, 192, 4), ("mb", 6, 3, 1, 192, 320, 1))  # fmt: skip
_V2 = {
    "s": (("f", 1, 3, 1, 24, 24, 2), ("f", 4, 3, 2, 24, 48, 4), ("f", 4, 3, 2, 48, 64, 4), ("mb", 4, 3, 2, 64, 128, 6), ("mb", 6, 3, 1, 128, 160, 9), ("mb", 6, 3, 2, 160, 256, 15)),
    "m": (("f", 1, 3, 1, 24, 24, 3), ("f", 4, 3, 2, 24, 48, 5), ("f", 4, 3, 2, 48, 80, 5), ("mb", 4, 3, 2, 80, 160, 7), ("mb", 6, 3, 1, 160, 176, 14), ("mb", 6, 3, 2, 176, 304, 18), ("mb", 6, 3, 1, 304, 512, 5)),
    "l": (("f", 1, 3, 1, 32, 32, 4), ("f", 4, 3, 2, 32, 64, 7), ("f", 4, 3, 2, 64, 96, 7), ("mb", 4, 3, 2, 96, 192, 10), ("mb", 6, 3, 1, 192, 224, 19), ("mb", 6, 3, 2, 224, 384, 25), ("mb", 6, 3, 1, 384, 640, 7)),
}  # fmt: skip


class MBConv(nn.Module):
    """Widen, filter each channel, weigh channels, narrow; `fused` does the first two at once and does not weigh."""

    def __init__(
        self,
        fused: Any,
        expansion: Any,
        kernel: Any,
        stride: Any,
        inputs: Any,
        outputs: Any,
        drop: Any,
        norm_layer: Callable[..., torch.nn.Module],
    ) -> None:
        super().__init__()
        self.use_res_connect = stride == 1 and inputs == outputs
        wide, layers = _make_divisible(inputs * expansion, 8), []
        act = partial(Conv2dNormActivation, norm_layer=norm_layer)
        if fused and wide != inputs:
            layers += [
                act(inputs, wide, kernel_size=kernel, stride=stride, activation_layer=nn.SiLU),
                act(wide, outputs, kernel_size=1, activation_layer=None),
            ]
        elif fused:
            layers.append(act(inputs, outputs, kernel_size=kernel, stride=stride, activation_layer=nn.SiLU))
        else:
            if wide != inputs:
                layers.append(act(inputs, wide, kernel_size=1, activation_layer=nn.SiLU))
            layers.append(act(wide, wide, kernel_size=kernel, stride=stride, groups=wide, activation_layer=nn.SiLU))
            layers.append(SqueezeExcitation(wide, max(1, inputs // 4), activation=partial(nn.SiLU, inplace=True)))
            layers.append(act(wide, outputs, kernel_size=1, activation_layer=None))
        self.block = nn.Sequential(*layers)
        self.stochastic_depth = StochasticDepth(drop, "row")

    def forward(self, input: Tensor) -> Tensor:
        result = self.block(input)
        if self.use_res_connect:
            result = self.stochastic_depth(result)
            result += input
        return result


class EfficientNet(nn.Module):
    """Images [batch, 3, height, width] to [batch, num_classes]."""

    def __init__(self, rows: Any = _B, dropout: float = 0.2, width: float = 1.0, depth: float = 1.0, last_channel: int | None = None, norm_layer: Callable[..., torch.nn.Module] | None = nn.BatchNorm2d, num_classes: int = 1000, stochastic_depth_prob: float = 0.2) -> None:  # fmt: skip
        super().__init__()
        rows = [
            (k, e, n, s, _make_divisible(i * width, 8), _make_divisible(o * width, 8), math.ceil(c * depth))
            for k, e, n, s, i, o, c in rows
        ]
        layers = [
            Conv2dNormActivation(
                3, rows[0][4], kernel_size=3, stride=2, norm_layer=norm_layer, activation_layer=nn.SiLU
            )
        ]
        total, done = sum(r[6] for r in rows), 0
        for kind, expansion, kernel, stride, inputs, outputs, count in rows:
            stage = []
            for i in range(count):
                drop = stochastic_depth_prob * done / total
                stage.append(
                    MBConv(
                        kind == "f",
                        expansion,
                        kernel,
                        1 if i else stride,
                        outputs if i else inputs,
                        outputs,
                        drop,
                        norm_layer,
                    )
                )
                done += 1
            layers.append(nn.Sequential(*stage))
        last = last_channel or 4 * rows[-1][5]
        layers.append(
            Conv2dNormActivation(rows[-1][5], last, kernel_size=1, norm_layer=norm_layer, activation_layer=nn.SiLU)
        )
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Dropout(p=dropout, inplace=True), nn.Linear(last, num_classes))

    def forward(self, x: Tensor) -> Tensor:
        x = self.features(x)
        x = self.avgpool(x)
        x = x.flatten(1)
        x = self.classifier(x)
        return x


_LOOSE = partial(nn.BatchNorm2d, eps=0.001, momentum=0.01)
for _i, (_width, _depth, _dropout) in enumerate(((1.0, 1.0, 0.2), (1.0, 1.1, 0.2), (1.1, 1.2, 0.3), (1.2, 1.4, 0.3), (1.4, 1.8, 0.4), (1.6, 2.2, 0.4), (1.8, 2.6, 0.5), (2.0, 3.1, 0.5))):  # fmt: skip
    _norm = {} if _i < 5 else {"norm_layer": _LOOSE}
    globals()[f"efficientnet_b{_i}"] = builder(
        f"efficientnet_b{_i}", EfficientNet, width=_width, depth=_depth, dropout=_dropout, **_norm
    )
for _size, _dropout in (("s", 0.2), ("m", 0.3), ("l", 0.4)):
    globals()[f"efficientnet_v2_{_size}"] = builder(
        f"efficientnet_v2_{_size}",
        EfficientNet,
        rows=_V2[_size],
        dropout=_dropout,
        last_channel=1280,
        norm_layer=partial(nn.BatchNorm2d, eps=1e-03),
    )
