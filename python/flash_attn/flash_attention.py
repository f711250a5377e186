"""flash_attn.flash_attention, as the first release has it: the kernel as a module over queries, keys and values in one tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn
from torch._stand_ins import note

from .flash_attn_interface import flash_attn_qkvpacked_func

if TYPE_CHECKING:
    from typing import Any

    import torch
    from torch import Tensor


class FlashAttention(nn.Module):
    def __init__(
        self, softmax_scale: float | None = None, attention_dropout: float = 0.0, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        note("short_form_memory", "library", "flash_attn.flash_attention")
        self.softmax_scale, self.dropout_p = softmax_scale, attention_dropout

    def forward(
        self,
        qkv: Tensor,
        attn_mask: Tensor | None = None,
        key_padding_mask: Tensor | None = None,
        causal: bool = False,
        cu_seqlens: Tensor | None = None,
        max_s: int | None = None,
        need_weights: bool = False,
    ) -> tuple[torch.Tensor, None]:
        if need_weights or key_padding_mask is not None or cu_seqlens is not None:
            raise NotImplementedError(
                "vramscope's stand-in for flash_attn.flash_attention has no padding and no weights"
            )
        dropout = self.dropout_p if self.training else 0.0
        return flash_attn_qkvpacked_func(qkv, dropout, self.softmax_scale, causal), None


class FlashMHA(nn.Module):
    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        bias: bool = True,
        batch_first: bool = True,
        attention_dropout: float = 0.0,
        causal: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        made = {"device": device, "dtype": dtype}
        self.embed_dim, self.num_heads, self.head_dim, self.causal = (
            embed_dim,
            num_heads,
            embed_dim // num_heads,
            causal,
        )
        self.Wqkv = nn.Linear(embed_dim, 3 * embed_dim, bias=bias, **made)
        self.inner_attn = FlashAttention(attention_dropout=attention_dropout, **made)
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=bias, **made)

    def forward(self, x: Tensor, key_padding_mask: Tensor | None = None, need_weights: bool = False) -> tuple:
        qkv = self.Wqkv(x).reshape(*x.shape[:2], 3, self.num_heads, self.head_dim)
        context, weights = self.inner_attn(qkv, None, key_padding_mask, self.causal, need_weights=need_weights)
        return self.out_proj(context.reshape(*context.shape[:2], -1)), weights
