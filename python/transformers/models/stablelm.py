"""stablelm: layer norms, a quarter of each head turns; in some sizes norms per head, or parts side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..cores.decoder import Attention, DecoderConfig, DecoderLayer
from ..cores.decoder_heads import family
from ..parts.rope import rotate

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.configuration_utils import PreTrainedConfig


class StableLmConfig(DecoderConfig):
    model_type = "stablelm"
    vocab_size = 50304
    intermediate_size = 6912
    hidden_size = 2560
    num_key_value_heads = 32
    max_position_embeddings = 4096
    layer_norm_eps = 1e-5
    use_qkv_bias = False
    qk_layernorm = False
    use_parallel_residual = False
    hidden_dropout = 0.0
    bos_token_id = 0
    eos_token_id = 0
    partial_rotary_factor = 0.25


class NormPerHead(nn.Module):
    def __init__(self, size: int, heads: int, eps: float) -> None:
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(size, eps=eps, bias=False) for _ in range(heads))

    def forward(self, states: Tensor) -> Any:
        heads = torch.split(states, 1, dim=1)
        return torch.cat([norm(head) for norm, head in zip(self.norms, heads)], dim=1)


class StableLmAttention(Attention):
    out_biased = False

    def build(self, config: PreTrainedConfig) -> None:
        self.biased = config.use_qkv_bias
        super().build(config)
        self.rotary_ndims = int(self.head_dim * config.rope_parameters["partial_rotary_factor"])
        if config.qk_layernorm:
            self.q_layernorm = NormPerHead(self.head_dim, config.num_attention_heads, config.layer_norm_eps)
            self.k_layernorm = NormPerHead(self.head_dim, config.num_key_value_heads, config.layer_norm_eps)

    def forward(
        self,
        hidden_states: Tensor,
        position_embeddings: tuple[Tensor, Tensor] | None = None,
        attention_mask: Tensor | None = None,
        past_key_values: Cache | None = None,
        position_ids: Tensor | None = None,
        use_cache: bool = False,
        **kwargs: Any,
    ) -> tuple[Tensor, Tensor | None, tuple[Tensor] | None]:
        shape = hidden_states.shape[:-1]
        query, key, value = self.project(hidden_states)
        if self.config.qk_layernorm:
            query = self.q_layernorm(query)
            key = self.k_layernorm(key)
        cos, sin = position_embeddings
        size = self.rotary_ndims
        # the turned parts keep their names, so they live as long as this call
        turned_query, passed_query = query[..., :size], query[..., size:]
        turned_key, passed_key = key[..., :size], key[..., size:]
        turned_query, turned_key = rotate(turned_query, turned_key, cos, sin)
        query = torch.cat((turned_query, passed_query), dim=-1)
        key = torch.cat((turned_key, passed_key), dim=-1)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.attention_dropout if self.training else 0.0,
            scaling=self.scaling,
            **kwargs,
        )
        output = output.reshape(*shape, -1)
        output = self.o_proj(output)
        return output, weights


class StableLmDecoderLayer(DecoderLayer):
    attention_class = StableLmAttention
    norm_class = nn.LayerNorm
    norm_eps = "layer_norm_eps"

    def build_norms(self, config: PreTrainedConfig) -> None:
        self.input_layernorm = self.norm(config)
        self.post_attention_layernorm = None if config.use_parallel_residual else self.norm(config)
        self.dropout = nn.Dropout(config.hidden_dropout)

    def forward(self, hidden_states: Tensor, **kwargs: Cache | Tensor | tuple[Tensor, Tensor]) -> Tensor:
        residual = hidden_states
        hidden_states = self.input_layernorm(hidden_states)
        attended, _ = self.self_attn(hidden_states=hidden_states, **kwargs)
        if self.post_attention_layernorm is None:
            fed = self.mlp(hidden_states)
            fed = self.dropout(fed)
            hidden_states = residual + attended + fed
        else:
            residual = residual + attended
            fed = self.mlp(self.post_attention_layernorm(residual))
            fed = self.dropout(fed)
            hidden_states = residual + fed
        return hidden_states


family("StableLm", StableLmConfig, __name__, layer=StableLmDecoderLayer)
