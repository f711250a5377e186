"""The bitsandbytes package: quantized layers, functions and optimizers. Runs where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bitsandbytes as bnb
import torch
from bitsandbytes import functional as B
from torch import nn

from sections import run_all

if TYPE_CHECKING:
    from typing import Any


def width(m: Any) -> int:
    return 4096 if m.large else 256


def linear4(m: Any, **options: Any) -> Any:
    layer = bnb.nn.Linear4bit(width(m), 2 * width(m), compute_dtype=m.dtype, **options).to(m.dtype).to("cuda")
    return layer(m.x(8, width(m)))


def linear8(m: Any, **options: Any) -> Any:
    layer = bnb.nn.Linear8bitLt(width(m), 2 * width(m), **options).to(m.dtype).to("cuda")
    return layer(m.x(2, 8, width(m)))


def step(make: Any, **options: Any) -> Any:
    def case(m):
        layer = m.module(nn.Linear(width(m), width(m)))
        optimizer = getattr(bnb.optim, make)(layer.parameters(), lr=1e-3, **options)
        for _ in range(2):
            layer(m.x(8, width(m))).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        return None

    return case


def there_and_back(m: Any) -> Any:
    quantized, state = B.quantize_blockwise(m.x(grad=False))
    return B.dequantize_blockwise(quantized, state)


def vector(m: Any) -> Any:
    layer = bnb.nn.Linear4bit(width(m), width(m), compute_dtype=m.dtype, quant_type="nf4").to(m.dtype).to("cuda")
    return layer(m.x(1, 1, width(m), grad=False))


cases = {
    "nf4": lambda m: linear4(m, quant_type="nf4", compress_statistics=False),
    "nf4 nested": lambda m: linear4(m, quant_type="nf4", compress_statistics=True),
    "fp4": lambda m: linear4(m, quant_type="fp4", compress_statistics=False),
    "nf4 in float32": lambda m: linear4(m, quant_type="nf4", quant_storage=torch.float32),
    "vector": vector,
    "int8": lambda m: linear8(m, has_fp16_weights=False),
    "int8 outliers": lambda m: linear8(m, has_fp16_weights=False, threshold=6.0),
    "int8 training": linear8,
    "blockwise": there_and_back,
    **{
        name: step(name)
        for name in (
            "Adam8bit",
            "AdamW8bit",
            "PagedAdamW8bit",
            "AdamW32bit",
            "Lion8bit",
            "RMSprop8bit",
            "Adagrad8bit",
            "LAMB8bit",
            "AdEMAMix8bit",
        )
    },
    "SGD8bit": step("SGD8bit", momentum=0.9),
}
run_all(cases)
