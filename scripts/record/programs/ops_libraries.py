"""More shapes for what libraries take: the ones that rules were not made from. Drawn once, by a fixed rule."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from sections import run_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


draw = random.Random(17)
WIDTHS = (3, 16, 24, 32, 48, 64, 96, 128, 160, 256, 320, 512, 640)


def drawn_convolution() -> tuple[int, ...]:
    ins, outs = draw.choice(WIDTHS), draw.choice(WIDTHS[1:])
    kernel, stride = draw.choice((1, 1, 3, 3, 3, 5, 7)), draw.choice((1, 1, 1, 2))
    side, batch = draw.choice((7, 14, 20, 28, 32, 48, 56, 64, 100, 112)), draw.choice((1, 2, 4, 8, 24, 32))
    return ins, outs, kernel, stride, side, batch


def convolution(shape: tuple[int, ...], last: bool = False) -> Callable:
    ins, outs, kernel, stride, side, batch = shape

    def case(m: Any) -> Any:
        layer, x = m.module(nn.Conv2d(ins, outs, kernel, stride, kernel // 2)), m.x(batch, ins, side, side, grad=False)
        if last:
            layer, x = layer.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
        return layer(x.requires_grad_())

    return case


def recurrent() -> tuple[str, Callable]:
    kind = draw.choice((nn.LSTM, nn.LSTM, nn.GRU, nn.RNN))
    width, hidden = draw.choice((16, 50, 64, 128, 300, 512)), draw.choice((20, 64, 100, 128, 256, 650))
    length, batch, layers = draw.choice((1, 10, 35, 128)), draw.choice((1, 8, 20, 64)), draw.choice((1, 1, 2, 3))
    both = draw.random() < 0.3

    def case(m: Any) -> Any:
        layer = m.module(kind(width, hidden, layers, bidirectional=both))
        return layer(m.x(length, batch, width))[0]

    ways = " both ways" if both else ""
    return f"{kind.__name__.lower()} {width} {hidden} length {length} batch {batch} layers {layers}{ways}", case


def one_query(heads: int, keys: int, width: int, batch: int) -> Callable:
    return lambda m: F.scaled_dot_product_attention(
        m.x(batch, heads, 1, width, grad=False), *(m.x(batch, heads, keys, width, grad=False) for _ in "kv")
    )


def square(m: Any, n: int, batch: tuple = ()) -> Any:
    x = m.x(*batch, n, n, grad=False)
    return (x @ x.mT + torch.eye(n, device="cuda")).requires_grad_()


DECOMPOSED = {
    "svd": lambda x: torch.linalg.svd(x, full_matrices=False)[1],
    "qr": lambda x: torch.linalg.qr(x)[1],
    "eigh": lambda x: torch.linalg.eigh(x)[0],
    "cholesky": torch.linalg.cholesky,
    "inv": torch.linalg.inv,
    "solve": lambda x: torch.linalg.solve(x, torch.ones(*x.shape[:-1], 1, device="cuda")),
    "det": torch.linalg.det,
    "matrix_exp": lambda x: torch.linalg.matrix_exp(x * 1e-3),
    "lu": lambda x: torch.linalg.lu_factor(x)[0],
}
shapes = [drawn_convolution() for _ in range(48)]
CONVOLUTIONS = {
    **{f"conv2d {' '.join(map(str, shape))}": convolution(shape) for shape in shapes},
    **{f"conv2d {' '.join(map(str, shape))}, channels last": convolution(shape, True) for shape in shapes[:24]},
    **dict(recurrent() for _ in range(30)),
    **{
        f"one query {heads} {keys} {width} {batch}": one_query(heads, keys, width, batch)
        for heads, keys, width, batch in (
            (8, 256, 64, 1),
            (32, 512, 128, 1),
            (32, 1000, 128, 4),
            (12, 2048, 64, 8),
            (16, 4096, 80, 1),
        )
    },
}
OTHERS = {
    f"{name} {n}{' of ' + str(batch[0]) if batch else ''}": lambda m, f=f, n=n, batch=batch: f(square(m, n, batch))
    for name, f in DECOMPOSED.items()
    for n, batch in (
        (8, ()),
        (32, ()),
        (100, ()),
        (200, ()),
        (256, ()),
        (700, ()),
        (2048, ()),
        (10, (8,)),
        (64, (100,)),
    )
}
run_all(CONVOLUTIONS, sizes=("fixed",))
run_all(OTHERS, dtypes=("float32",), sizes=("fixed",))
