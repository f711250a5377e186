"""cohere: one layer norm in front of attention and feed-forward part side by side, angles for neighbours, scaled logits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..cores.decoder import Attention, DecoderConfig, DecoderLayer
from ..cores.decoder_heads import CausalLM, family
from ..parts.rope import RotaryEmbedding, rotate_in_float

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class CohereConfig(DecoderConfig):
    model_type = "cohere"
    default_theta = 500000.0
    vocab_size = 256000
    hidden_size = 8192
    intermediate_size = 22528
    logit_scale = 0.0625
    num_hidden_layers = 40
    num_attention_heads = 64
    max_position_embeddings = 8192
    layer_norm_eps = 1e-5
    pad_token_id = 0
    bos_token_id = 5
    eos_token_id = 255001
    tie_word_embeddings = True
    use_qk_norm = False


class CohereLayerNorm(nn.Module):
    """A layer norm without bias, written in plain operators in float32."""

    def __init__(self, size: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.variance_epsilon = eps

    def forward(self, x: Tensor) -> Tensor:
        dtype = x.dtype
        x = x.to(torch.float32)
        mean = x.mean(-1, keepdim=True)
        variance = (x - mean).pow(2).mean(-1, keepdim=True)
        x = (x - mean) * torch.rsqrt(variance + self.variance_epsilon)
        x = self.weight.to(torch.float32) * x
        return x.to(dtype)


class NeighbourAngles(RotaryEmbedding):
    """Each frequency twice in a row."""

    def spread(self, angles: Tensor) -> Tensor:
        return torch.repeat_interleave(angles, 2, dim=-1)


class CohereAttention(Attention):
    rotate = staticmethod(rotate_in_float)

    def build(self, config: PreTrainedConfig) -> None:
        super().build(config)
        if config.use_qk_norm:
            self.q_norm = CohereLayerNorm((config.num_attention_heads, self.head_dim), config.layer_norm_eps)
            self.k_norm = CohereLayerNorm((config.num_key_value_heads, self.head_dim), config.layer_norm_eps)

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        shape = (*x.shape[:-1], -1, self.head_dim)
        query = self.q_proj(x).view(shape)
        key = self.k_proj(x).view(shape)
        value = self.v_proj(x).view(shape)
        if self.config.use_qk_norm:
            query = self.q_norm(query)
            key = self.k_norm(key)
        return query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2)


class CohereDecoderLayer(DecoderLayer):
    attention_class = CohereAttention
    norm_class = CohereLayerNorm
    norm_eps = "layer_norm_eps"

    def build_norms(self, config: PreTrainedConfig) -> None:
        self.input_layernorm = self.norm(config)

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> Tensor:
        residual = hidden_states
        hidden_states = self.input_layernorm(hidden_states)
        attended, _ = self.self_attn(hidden_states=hidden_states, **kwargs)
        fed = self.mlp(hidden_states)
        hidden_states = residual + attended + fed
        return hidden_states


class CohereLM(CausalLM):
    def logit_steps(self) -> tuple[Callable]:
        return (lambda x: x * self.config.logit_scale,)


family("Cohere", CohereConfig, __name__, lm=CohereLM, layer=CohereDecoderLayer, rotary=NeighbourAngles, heads=False)
