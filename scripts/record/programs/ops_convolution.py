"""Convolutions and recurrent layers of the shapes that networks have: what cuDNN takes beside the results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from sections import run_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


# in, out, kernel, stride, groups, batch, side
PLANAR = {
    "stem of a residual network": (3, 64, 7, 2, 1, 16, 224),
    "residual 64": (64, 64, 3, 1, 1, 16, 56),
    "residual 128": (128, 128, 3, 1, 1, 16, 28),
    "residual 256": (256, 256, 3, 1, 1, 16, 14),
    "residual 512": (512, 512, 3, 1, 1, 16, 7),
    "residual strided": (64, 128, 3, 2, 1, 16, 56),
    "one by one 64 to 256": (64, 256, 1, 1, 1, 16, 56),
    "one by one 512 to 2048": (512, 2048, 1, 1, 1, 16, 7),
    "one by one strided": (256, 512, 1, 2, 1, 16, 56),
    "depthwise 3": (96, 96, 3, 1, 96, 16, 56),
    "depthwise 7": (96, 96, 7, 1, 96, 16, 56),
    "grouped 32": (128, 128, 3, 1, 32, 16, 56),
    "patches 16": (3, 768, 16, 16, 1, 16, 224),
    "patches 4": (3, 96, 4, 4, 1, 16, 224),
    "latents": (320, 320, 3, 1, 1, 2, 64),
    "latents out": (320, 4, 3, 1, 1, 2, 64),
    "picture in": (3, 128, 3, 1, 1, 1, 512),
    "picture wide": (128, 128, 3, 1, 1, 1, 512),
    "digits": (1, 32, 3, 1, 1, 64, 28),
    "small pictures": (3, 64, 3, 1, 1, 128, 32),
    "kernel 5": (32, 64, 5, 1, 1, 64, 28),
    "one picture": (64, 64, 3, 1, 1, 1, 56),
}


def planar(shape: tuple, last: bool) -> Callable:
    ins, outs, kernel, stride, groups, batch, side = shape

    def case(m: Any) -> Any:
        layer = m.module(nn.Conv2d(ins, outs, kernel, stride, 0 if stride == kernel else kernel // 2, groups=groups))
        x = m.x(batch, ins, side, side, grad=False)
        if last:
            layer, x = layer.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
        return layer(x.requires_grad_())

    return case


def tuned(shape: tuple) -> Callable:
    def case(m: Any) -> Any:
        torch.backends.cudnn.benchmark = True
        try:
            return planar(shape, False)(m)
        finally:
            torch.backends.cudnn.benchmark = False

    return case


def recurrent(kind: Any, *sizes: int, length: int = 64, batch: int = 32, **options: Any) -> Callable:
    def case(m: Any) -> Any:
        return m.module(kind(*sizes, **options))(m.x(length, batch, sizes[0]))[0]

    return case


cases = {
    **{f"conv2d {name}": planar(shape, False) for name, shape in PLANAR.items()},
    **{f"conv2d {name}, channels last": planar(shape, True) for name, shape in PLANAR.items()},
    **{f"conv2d {name}, benchmark": tuned(PLANAR[name]) for name in ("residual 64", "residual 512", "depthwise 3")},
    "conv1d of sound": lambda m: m.module(nn.Conv1d(80, 384, 3, padding=1))(m.x(4, 80, 3000)),
    "conv1d strided": lambda m: m.module(nn.Conv1d(384, 384, 3, 2, 1))(m.x(4, 384, 3000)),
    "conv1d raw sound": lambda m: m.module(nn.Conv1d(1, 512, 10, 5))(m.x(4, 1, 16000)),
    "conv1d positions": lambda m: m.module(nn.Conv1d(768, 768, 128, padding=64, groups=16))(m.x(4, 768, 49)),
    "conv1d depthwise causal": lambda m: m.module(nn.Conv1d(1536, 1536, 4, padding=3, groups=1536))(m.x(2, 1536, 512)),
    "conv3d video": lambda m: m.module(nn.Conv3d(3, 64, (3, 7, 7), (1, 2, 2), (1, 3, 3)))(m.x(2, 3, 8, 112, 112)),
    "conv3d volume": lambda m: m.module(nn.Conv3d(16, 32, 3, padding=1))(m.x(1, 16, 32, 32, 32)),
    "conv3d patches": lambda m: m.module(nn.Conv3d(3, 768, (2, 16, 16), (2, 16, 16)))(m.x(2, 3, 8, 224, 224)),
    "conv_transpose2d generator": lambda m: m.module(nn.ConvTranspose2d(512, 256, 4, 2, 1))(m.x(64, 512, 4, 4)),
    "conv_transpose2d up": lambda m: m.module(nn.ConvTranspose2d(128, 64, 2, 2))(m.x(4, 128, 64, 64)),
    "conv_transpose1d": lambda m: m.module(nn.ConvTranspose1d(512, 256, 16, 8, 4))(m.x(4, 512, 32)),
    "lstm": recurrent(nn.LSTM, 256, 512),
    "lstm two layers": recurrent(nn.LSTM, 200, 200, 2, dropout=0.2),
    "lstm both ways": recurrent(nn.LSTM, 128, 256, bidirectional=True),
    "lstm wide": recurrent(nn.LSTM, 1024, 1024, length=128, batch=16),
    "gru": recurrent(nn.GRU, 256, 512),
    "gru both ways": recurrent(nn.GRU, 128, 256, 2, bidirectional=True),
    "rnn": recurrent(nn.RNN, 128, 256),
    "lstm short": recurrent(nn.LSTM, 28, 128, length=28, batch=100),
    "lstm of one row": recurrent(nn.LSTM, 64, 128, length=200, batch=1),
}
run_all(cases, sizes=("fixed",))
