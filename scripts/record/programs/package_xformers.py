"""The xformers package: memory_efficient_attention with its masks. Runs where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from xformers.ops import LowerTriangularMask, memory_efficient_attention
from xformers.ops.fmha.attn_bias import BlockDiagonalMask

from sections import run_all

if TYPE_CHECKING:
    from typing import Any


def tensors(m: Any, size: int = 64, grad: bool = True) -> tuple:
    shape = (2, 1024 if m.large else 96, 8, size)
    return tuple(m.x(*shape, grad=grad) for _ in "qkv")


def sequences(m: Any, causal: bool) -> Any:
    mask = BlockDiagonalMask.from_seqlens([30, 40, 26])
    q, k, v = (m.x(1, 96, 8, 64) for _ in "qkv")
    return memory_efficient_attention(q, k, v, attn_bias=mask.make_causal() if causal else mask)


def packed(m: Any) -> Any:
    qkv = m.x(2, 96, 3, 8, 64)
    return memory_efficient_attention(*qkv.unbind(2))


cases = {
    "plain": lambda m: memory_efficient_attention(*tensors(m)),
    "causal": lambda m: memory_efficient_attention(*tensors(m), attn_bias=LowerTriangularMask()),
    "dropout": lambda m: memory_efficient_attention(*tensors(m), p=0.1),
    "wide": lambda m: memory_efficient_attention(*tensors(m, size=192)),
    "without grad": lambda m: memory_efficient_attention(*tensors(m, grad=False)),
    "one head": lambda m: memory_efficient_attention(*(m.x(16, 96, 64) for _ in "qkv")),
    "bias": lambda m: memory_efficient_attention(*(m.x(2, 96, 8, 64) for _ in "qkv"), attn_bias=m.x(2, 8, 96, 96)),
    "packed": packed,
    "sequences": lambda m: sequences(m, False),
    "sequences causal": lambda m: sequences(m, True),
}
run_all(cases)
