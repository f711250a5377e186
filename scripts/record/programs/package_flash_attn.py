"""The flash_attn package: its functions forward and backward. Runs where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from flash_attn import (
    flash_attn_func,
    flash_attn_kvpacked_func,
    flash_attn_qkvpacked_func,
    flash_attn_varlen_func,
    flash_attn_with_kvcache,
)
from flash_attn.bert_padding import pad_input, unpad_input

from sections import run_all

if TYPE_CHECKING:
    from typing import Any


def length(m: Any) -> int:
    return 1024 if m.large else 96


def tensors(m: Any, size: int = 64, heads: int = 8, key_heads: Any = None, grad: bool = True) -> tuple:
    shape = (2, length(m))
    key_heads = key_heads or heads
    return (
        m.x(*shape, heads, size, grad=grad),
        m.x(*shape, key_heads, size, grad=grad),
        m.x(*shape, key_heads, size, grad=grad),
    )


def varlen(m: Any, **options: Any) -> Any:
    starts = torch.tensor([0, 30, 70, 96], dtype=torch.int32, device="cuda")
    q, k, v = (m.x(96, 8, 64) for _ in "qkv")
    return flash_attn_varlen_func(q, k, v, starts, starts, 40, 40, **options)


def padding(m: Any) -> Any:
    hidden = m.x(2, 96, 128)
    tokens, places, *_ = unpad_input(hidden, torch.ones(2, 96, dtype=torch.bool, device="cuda"))
    return pad_input(tokens, places, 2, 96)


cases = {
    "plain": lambda m: flash_attn_func(*tensors(m)),
    "causal": lambda m: flash_attn_func(*tensors(m), causal=True),
    "dropout": lambda m: flash_attn_func(*tensors(m), dropout_p=0.1),
    "window": lambda m: flash_attn_func(*tensors(m), window_size=(64, 0)),
    "deterministic": lambda m: flash_attn_func(*tensors(m), deterministic=True),
    "odd size": lambda m: flash_attn_func(*tensors(m, size=60)),
    "wide": lambda m: flash_attn_func(*tensors(m, size=192)),
    "grouped": lambda m: flash_attn_func(*tensors(m, key_heads=2)),
    "without grad": lambda m: flash_attn_func(*tensors(m, grad=False)),
    "probabilities": lambda m: flash_attn_func(*tensors(m), dropout_p=0.1, return_attn_probs=True),
    "packed": lambda m: flash_attn_qkvpacked_func(m.x(2, length(m), 3, 8, 64)),
    "keys packed": lambda m: flash_attn_kvpacked_func(m.x(2, length(m), 8, 64), m.x(2, length(m), 2, 8, 64)),
    "sequences": varlen,
    "sequences deterministic": lambda m: varlen(m, deterministic=True),
    "cache": lambda m: flash_attn_with_kvcache(
        m.x(2, 1, 8, 64, grad=False),
        m.x(2, 4096, 2, 64, grad=False),
        m.x(2, 4096, 2, 64, grad=False),
        cache_seqlens=100,
    ),
    "padding": padding,
}
run_all(cases, dtypes=("bfloat16", "float16"))
