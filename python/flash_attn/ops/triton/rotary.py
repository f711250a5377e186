"""Rotary embedding in one kernel: a result of the input's size, or none in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


__getattr__ = lacks("flash_attn.ops.triton.rotary")


def apply_rotary(
    x: Tensor,
    cos: Tensor,
    sin: Tensor,
    seqlen_offsets: int = 0,
    cu_seqlens: Tensor | None = None,
    max_seqlen: int | None = None,
    interleaved: bool = False,
    inplace: bool = False,
    conjugate: bool = False,
) -> Any:
    """Turns the first 2 * cos.shape[1] entries of each head of x [batch, length, heads, size] or [total, heads, size]."""
    rotated = 2 * cos.shape[1]
    if rotated > x.shape[-1]:
        raise AssertionError("rotary_dim must be <= headdim")
    if cu_seqlens is not None and max_seqlen is None:
        raise AssertionError("If cu_seqlens is passed in, then max_seqlen must be passed")
    cos, sin = cos.contiguous(), sin.contiguous()
    output = x if inplace else torch.empty_like(x)
    if rotated < x.shape[-1] and not inplace:
        output[..., rotated:].copy_(x[..., rotated:])
    return output
