"""Rotary embeddings: the function and a module with its cache of cosines and sines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch._stand_ins import lacks

from ..ops.triton.rotary import apply_rotary

if TYPE_CHECKING:
    from typing import Any

    from torch.autograd.function import FunctionCtx
    from torch import Tensor


__getattr__ = lacks("flash_attn.layers.rotary")


class ApplyRotaryEmb(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: FunctionCtx,
        x: Tensor,
        cos: Tensor,
        sin: Tensor,
        interleaved: Any,
        inplace: bool,
        seqlen_offsets: Any,
        cu_seqlens: Tensor,
        max_seqlen: int,
    ) -> Any:
        out = apply_rotary(x, cos, sin, seqlen_offsets, cu_seqlens, max_seqlen, interleaved, inplace)
        ctx.save_for_backward(cos, sin, cu_seqlens)
        ctx.how = (seqlen_offsets, max_seqlen, interleaved, inplace)
        return x if inplace else out

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        cos, sin, cu_seqlens = ctx.saved_tensors
        offsets, max_seqlen, interleaved, inplace = ctx.how
        dx = apply_rotary(grad, cos, sin, offsets, cu_seqlens, max_seqlen, interleaved, inplace, conjugate=True)
        return dx, None, None, None, None, None, None, None


def apply_rotary_emb(
    x: Tensor,
    cos: Tensor,
    sin: Tensor,
    interleaved: bool = False,
    inplace: bool = False,
    seqlen_offsets: int = 0,
    cu_seqlens: Tensor | None = None,
    max_seqlen: int | None = None,
) -> Any:
    """x [batch, length, heads, size] or [total, heads, size]; cos and sin [positions, size / 2]."""
    return ApplyRotaryEmb.apply(x, cos, sin, interleaved, inplace, seqlen_offsets, cu_seqlens, max_seqlen)


apply_rotary_emb_func = apply_rotary_emb


class RotaryEmbedding(nn.Module):
    """Applies to qkv [batch, length, 3, heads, size] in place, or to q and kv [batch, length, 2, heads, size]."""

    def __init__(
        self,
        dim: int,
        base: float = 10000.0,
        interleaved: bool = False,
        scale_base: Any = None,
        device: torch.device | str | int | None = None,
    ) -> None:
        super().__init__()
        if scale_base is not None:
            raise NotImplementedError("vramscope's stand-in for flash_attn has no scaled rotary embedding (scale_base)")
        self.dim, self.base, self.interleaved = dim, float(base), interleaved
        self.register_buffer("inv_freq", self._frequencies(device), persistent=False)
        self._cached_length, self._cos, self._sin = 0, None, None

    def _frequencies(self, device=None):
        return 1.0 / (self.base ** (torch.arange(0, self.dim, 2, device=device, dtype=torch.float32) / self.dim))

    def _update(self, length, device, dtype):
        if (
            length <= self._cached_length
            and self._cos is not None
            and self._cos.device == device
            and self._cos.dtype == dtype
        ):
            return
        self._cached_length = length
        positions = torch.arange(length, device=device, dtype=torch.float32)
        frequencies = torch.outer(positions, self.inv_freq.to(device))
        self._cos = torch.cos(frequencies).to(dtype)
        self._sin = torch.sin(frequencies).to(dtype)

    def forward(
        self,
        qkv: Tensor,
        kv: Tensor | None = None,
        seqlen_offset: int = 0,
        max_seqlen: int | None = None,
        num_heads_q: int | None = None,
    ) -> Any:
        length = qkv.shape[1] + (seqlen_offset if isinstance(seqlen_offset, int) else 0)
        self._update(max(length, max_seqlen or 0), qkv.device, qkv.dtype)

        def turn(x):
            return apply_rotary_emb(x, self._cos, self._sin, self.interleaved, True, seqlen_offset)

        if kv is not None:
            q = apply_rotary_emb(qkv, self._cos, self._sin, self.interleaved, True, seqlen_offset)
            turn(kv[:, :, 0])
            return q, kv
        if qkv.dim() != 5:
            raise NotImplementedError("vramscope's stand-in for flash_attn rotates qkv with 5 dimensions only")
        return _RotatePacked.apply(qkv, self._cos, self._sin)


class _RotatePacked(torch.autograd.Function):
    """Turns q and k inside a packed tensor, in place; so does backward with the gradient."""

    @staticmethod
    def forward(ctx: FunctionCtx, qkv: Tensor, cos: Tensor, sin: Tensor) -> Any:
        ctx.mark_dirty(qkv)
        ctx.save_for_backward(cos, sin)
        return qkv

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        return grad, None, None
