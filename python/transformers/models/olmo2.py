"""olmo2: norms after each part, and over all heads of queries and keys; angles in float32."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cores.decoder import Attention, DecoderConfig, DecoderLayer
from ..cores.decoder_heads import family
from ..parts.norms import LateRMSNorm
from ..parts.rope import WideRotaryEmbedding, rotate_wide

if TYPE_CHECKING:
    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.configuration_utils import PreTrainedConfig


class Olmo2Config(DecoderConfig):
    model_type = "olmo2"
    vocab_size = 50304
    rms_norm_eps = 1e-5
    pad_token_id = 1
    eos_token_id = 50279


class Olmo2Attention(Attention):
    rotate = staticmethod(rotate_wide)

    def build(self, config: PreTrainedConfig) -> None:
        super().build(config)
        self.q_norm = LateRMSNorm(config.num_attention_heads * self.head_dim, config.rms_norm_eps)
        self.k_norm = LateRMSNorm(config.num_key_value_heads * self.head_dim, config.rms_norm_eps)

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        shape = (*x.shape[:-1], -1, self.head_dim)
        query = self.q_norm(self.q_proj(x))
        key = self.k_norm(self.k_proj(x))
        value = self.v_proj(x)
        return query.view(shape).transpose(1, 2), key.view(shape).transpose(1, 2), value.view(shape).transpose(1, 2)


class PostNormLayer(DecoderLayer):
    attention_class = Olmo2Attention
    norm_class = LateRMSNorm

    def build_norms(self, config: PreTrainedConfig) -> None:
        self.post_attention_layernorm = self.norm(config)
        self.post_feedforward_layernorm = self.norm(config)

    def forward(self, hidden_states: Tensor, **kwargs: Cache | Tensor | tuple[Tensor, Tensor] | None) -> Tensor:
        residual = hidden_states
        hidden_states, _ = self.self_attn(hidden_states=hidden_states, **kwargs)
        hidden_states = self.post_attention_layernorm(hidden_states)
        hidden_states = residual + hidden_states
        residual = hidden_states
        hidden_states = self.mlp(hidden_states)
        hidden_states = self.post_feedforward_layernorm(hidden_states)
        hidden_states = residual + hidden_states
        return hidden_states


family("Olmo2", Olmo2Config, __name__, layer=PostNormLayer, rotary=WideRotaryEmbedding, heads=False)
