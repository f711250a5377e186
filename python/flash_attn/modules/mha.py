"""Attention as modules: the inner ones, and MHA with its projections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from einops import rearrange
from torch import nn
from torch._stand_ins import lacks

from ..flash_attn_interface import (
    flash_attn_kvpacked_func,
    flash_attn_qkvpacked_func,
    flash_attn_varlen_kvpacked_func,
    flash_attn_varlen_qkvpacked_func,
)
from ..layers.rotary import RotaryEmbedding

if TYPE_CHECKING:
    from typing import Any

    import torch
    from torch import Tensor


__getattr__ = lacks("flash_attn.modules.mha")


class _Inner(nn.Module):
    def __init__(
        self,
        causal: bool = False,
        softmax_scale: float | None = None,
        attention_dropout: float = 0.0,
        window_size: tuple[int, int] = (-1, -1),
        alibi_slopes: Tensor | None = None,
        deterministic: bool = False,
    ) -> None:
        super().__init__()
        self.causal, self.softmax_scale = causal, softmax_scale
        self.drop = nn.Dropout(attention_dropout)
        self.register_buffer("alibi_slopes", alibi_slopes, persistent=False)
        self.window_size, self.deterministic = window_size, deterministic

    def _options(self, causal):
        return {
            "dropout_p": self.drop.p if self.training else 0.0,
            "softmax_scale": self.softmax_scale,
            "causal": self.causal if causal is None else causal,
            "window_size": self.window_size,
            "alibi_slopes": self.alibi_slopes,
            "deterministic": self.deterministic,
        }


class FlashSelfAttention(_Inner):
    """qkv [batch, length, 3, heads, size], or [total, 3, heads, size] with cumulated lengths."""

    def forward(
        self, qkv: Tensor, causal: bool | None = None, cu_seqlens: Tensor | None = None, max_seqlen: int | None = None
    ) -> Any:
        if cu_seqlens is not None:
            return flash_attn_varlen_qkvpacked_func(qkv, cu_seqlens, max_seqlen, **self._options(causal))
        return flash_attn_qkvpacked_func(qkv, **self._options(causal))


class FlashCrossAttention(_Inner):
    """q [batch, length, heads, size] and kv [batch, keys, 2, key heads, size], or both with cumulated lengths."""

    def forward(
        self,
        q: Tensor,
        kv: Tensor,
        causal: bool | None = None,
        cu_seqlens: Tensor | None = None,
        max_seqlen: int | None = None,
        cu_seqlens_k: Tensor | None = None,
        max_seqlen_k: int | None = None,
    ) -> Any:
        if cu_seqlens is not None:
            lengths = (cu_seqlens, cu_seqlens_k, max_seqlen, max_seqlen_k)
            return flash_attn_varlen_kvpacked_func(q, kv, *lengths, **self._options(causal))
        return flash_attn_kvpacked_func(q, kv, **self._options(causal))


class MHA(nn.Module):
    """Self-attention with projections: x [batch, length, embed_dim] to the same shape. Without caches for inference."""

    def __init__(
        self,
        embed_dim: Any,
        num_heads: int,
        num_heads_kv: int | None = None,
        cross_attn: bool = False,
        qkv_proj_bias: bool = True,
        out_proj_bias: bool = True,
        dropout: float = 0.0,
        softmax_scale: float | None = None,
        causal: bool = False,
        layer_idx: Any = None,
        dwconv: bool = False,
        rotary_emb_dim: int = 0,
        rotary_emb_base: float = 10000.0,
        rotary_emb_scale_base: Any = None,
        rotary_emb_interleaved: bool = False,
        use_alibi: bool = False,
        window_size: tuple[int, int] = (-1, -1),
        fused_bias_fc: bool = False,
        use_flash_attn: bool = False,
        return_residual: bool = False,
        checkpointing: bool = False,
        device: torch.device | str | int | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        absent = {
            "cross_attn": cross_attn,
            "dwconv": dwconv,
            "use_alibi": use_alibi,
            "return_residual": return_residual,
            "checkpointing": checkpointing,
            "fused_bias_fc": fused_bias_fc,
        }
        for name, asked in absent.items():
            if asked:
                raise NotImplementedError(f"vramscope's stand-in for flash_attn has no MHA with {name}")
        if not use_flash_attn:
            raise NotImplementedError("vramscope's stand-in for flash_attn has MHA with use_flash_attn=True only")
        self.num_heads = num_heads
        self.num_heads_kv = num_heads if num_heads_kv is None else num_heads_kv
        self.head_dim = embed_dim // num_heads
        self.rotary_emb_dim = rotary_emb_dim
        if rotary_emb_dim > 0:
            self.rotary_emb = RotaryEmbedding(
                rotary_emb_dim, rotary_emb_base, rotary_emb_interleaved, rotary_emb_scale_base, device
            )
        made = {"device": device, "dtype": dtype}
        width = self.head_dim * (num_heads + 2 * self.num_heads_kv)
        self.Wqkv = nn.Linear(embed_dim, width, bias=qkv_proj_bias, **made)
        options = {
            "causal": causal,
            "softmax_scale": softmax_scale,
            "attention_dropout": dropout,
            "window_size": window_size,
        }
        self.inner_attn = FlashSelfAttention(**options)
        self.inner_cross_attn = FlashCrossAttention(**options)
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=out_proj_bias, **made)

    def forward(
        self,
        x: Tensor,
        cu_seqlens: Tensor | None = None,
        max_seqlen: int | None = None,
        inference_params: Any = None,
        **kwargs: Any,
    ) -> Any:
        if inference_params is not None:
            raise NotImplementedError("vramscope's stand-in for flash_attn has no MHA with inference_params")
        qkv = self.Wqkv(x)
        lengths = {} if cu_seqlens is None else {"cu_seqlens": cu_seqlens, "max_seqlen": max_seqlen}
        if self.num_heads_kv == self.num_heads:
            qkv = rearrange(qkv, "... (three h d) -> ... three h d", three=3, d=self.head_dim)
            if self.rotary_emb_dim > 0:
                qkv = self.rotary_emb(qkv)
            context = self.inner_attn(qkv, **lengths)
        else:
            q = rearrange(qkv[..., : self.num_heads * self.head_dim], "... (h d) -> ... h d", d=self.head_dim)
            kv = rearrange(
                qkv[..., self.num_heads * self.head_dim :], "... (two h d) -> ... two h d", two=2, d=self.head_dim
            )
            if self.rotary_emb_dim > 0:
                q, kv = self.rotary_emb(q, kv)
            if lengths:
                lengths.update(cu_seqlens_k=cu_seqlens, max_seqlen_k=max_seqlen)
            context = self.inner_cross_attn(q, kv, **lengths)
        return self.out_proj(rearrange(context, "... h d -> ... (h d)"))
