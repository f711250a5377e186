"""olmo: layer norms without parameters, in float32; queries and keys turned in float32 and, in some sizes, clipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cores.decoder import Attention, DecoderConfig, DecoderLayer
from ..cores.decoder_heads import family
from ..parts.rope import WideRotaryEmbedding, rotate_wide

if TYPE_CHECKING:
    from torch import Tensor


class OlmoConfig(DecoderConfig):
    model_type = "olmo"
    vocab_size = 50304
    pad_token_id = 1
    eos_token_id = 50279
    clip_qkv = None


class OlmoLayerNorm(nn.Module):
    def __init__(self, size: int, eps: float | None = None) -> None:
        super().__init__()
        self.normalized_shape = (size,)

    def forward(self, x: Tensor) -> Tensor:
        dtype = x.dtype
        return F.layer_norm(x.to(dtype=torch.float32), self.normalized_shape, None, None, eps=1e-5).to(dtype)


class OlmoAttention(Attention):
    rotate = staticmethod(rotate_wide)

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        shape = (*x.shape[:-1], -1, self.head_dim)
        query = self.q_proj(x)
        key = self.k_proj(x)
        value = self.v_proj(x)
        limit = self.config.clip_qkv
        if limit is not None:
            for states in (query, key, value):
                states.clamp_(min=-limit, max=limit)
        return query.view(shape).transpose(1, 2), key.view(shape).transpose(1, 2), value.view(shape).transpose(1, 2)


class OlmoDecoderLayer(DecoderLayer):
    attention_class = OlmoAttention
    norm_class = OlmoLayerNorm


family("Olmo", OlmoConfig, __name__, layer=OlmoDecoderLayer, rotary=WideRotaryEmbedding, heads=False)
