"""persimmon: one projection for queries, keys and values, which are normalised per head; half of each head turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..activations import ACT2FN
from ..parts.attention import HeadedModule, eager_wide
from ..cores.decoder import DecoderConfig, DecoderLayer, DecoderModel
from ..cores.decoder_heads import family
from ..parts.rope import rotate

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.configuration_utils import PreTrainedConfig


class PersimmonConfig(DecoderConfig):
    model_type = "persimmon"
    vocab_size = 262144
    hidden_size = 4096
    intermediate_size = 16384
    num_hidden_layers = 36
    num_attention_heads = 64
    hidden_act = "relu2"
    max_position_embeddings = 16384
    layer_norm_eps = 1e-5
    qk_layernorm = True
    hidden_dropout = 0.0
    partial_rotary_factor = 0.5
    bos_token_id = 1
    eos_token_id = 2


class PersimmonAttention(HeadedModule):
    eager = staticmethod(eager_wide)

    def __init__(self, config: PersimmonConfig, layer_idx: int | None) -> None:
        super().__init__()
        size = config.hidden_size
        self.config = config
        self.layer_idx = layer_idx
        self.num_heads = config.num_attention_heads
        self.head_dim = size // self.num_heads
        self.turning = int(self.head_dim * config.rope_parameters["partial_rotary_factor"])
        self.is_causal = True
        self.scaling = self.head_dim**-0.5
        self.query_key_value = nn.Linear(size, 3 * size)
        self.dense = nn.Linear(size, size)
        if config.qk_layernorm:
            self.q_layernorm = nn.LayerNorm(self.head_dim, eps=config.layer_norm_eps)
            self.k_layernorm = nn.LayerNorm(self.head_dim, eps=config.layer_norm_eps)
        self.attention_dropout = nn.Dropout(config.attention_dropout)

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        past_key_values: Cache | None = None,
        use_cache: bool = False,
        position_embeddings: tuple[Tensor, Tensor] | None = None,
        **kwargs: Any,
    ) -> tuple[Tensor, Tensor | None, tuple[Tensor] | None]:
        batch, length, _ = hidden_states.shape
        fused = self.query_key_value(hidden_states)
        parts = fused.view(batch, length, self.num_heads, 3, self.head_dim)
        query, key, value = parts[..., 0, :], parts[..., 1, :], parts[..., 2, :]
        if self.config.qk_layernorm:
            query = self.q_layernorm(query)
            key = self.k_layernorm(key)
        query = query.transpose(1, 2)
        value = value.transpose(1, 2)
        key = key.transpose(1, 2)
        cos, sin = position_embeddings
        turned_query, passed_query = query[..., : self.turning], query[..., self.turning :]
        turned_key, passed_key = key[..., : self.turning], key[..., self.turning :]
        turned_query, turned_key = rotate(turned_query, turned_key, cos, sin)
        query = torch.cat((turned_query, passed_query), dim=-1)
        key = torch.cat((turned_key, passed_key), dim=-1)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.config.attention_dropout if self.training else 0.0,
            scaling=self.scaling,
            **kwargs,
        )
        output = output.reshape(batch, length, -1)
        output = self.dense(output)
        return output, weights


class PersimmonMLP(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense_h_to_4h = nn.Linear(config.hidden_size, config.intermediate_size)
        self.dense_4h_to_h = nn.Linear(config.intermediate_size, config.hidden_size)
        self.act = ACT2FN[config.hidden_act]

    def forward(self, x: Tensor) -> Any:
        x = self.dense_h_to_4h(x)
        x = self.act(x)
        x = self.dense_4h_to_h(x)
        return x


class PersimmonDecoderLayer(DecoderLayer):
    attention_class = PersimmonAttention
    mlp_class = PersimmonMLP
    norm_class = nn.LayerNorm
    norm_eps = "layer_norm_eps"

    def build_norms(self, config: PreTrainedConfig) -> None:
        super().build_norms(config)
        self.dropout = nn.Dropout(config.hidden_dropout)

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> Tensor:
        residual = hidden_states
        hidden_states = self.input_layernorm(hidden_states)
        hidden_states, _ = self.self_attn(hidden_states=hidden_states, **kwargs)
        hidden_states = residual + hidden_states
        residual = hidden_states
        hidden_states = self.post_attention_layernorm(hidden_states)
        hidden_states = self.mlp(hidden_states)
        hidden_states = self.dropout(hidden_states)
        hidden_states = hidden_states + residual
        return hidden_states


class PersimmonModel(DecoderModel):
    def build(self, config: PreTrainedConfig) -> None:
        super().build(config)
        # the last norm has another name here, and its place among the modules
        parts = self._modules
        rotary = parts.pop("rotary_emb")
        self.final_layernorm = parts.pop("norm")
        self.rotary_emb = rotary

    def leave(self, states: Tensor) -> Any:
        return self.final_layernorm(states)


family("Persimmon", PersimmonConfig, __name__, model=PersimmonModel, layer=PersimmonDecoderLayer)
