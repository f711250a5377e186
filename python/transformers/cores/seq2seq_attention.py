"""Attention in the manner of BART: over its own states, or from one stack to the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..parts.attention import HeadedModule
from ..cache_utils import EncoderDecoderCache
from .encoder import eager_plain

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor

    from ..cache_utils import Cache
    from transformers.configuration_utils import PreTrainedConfig


class Seq2SeqAttention(HeadedModule):
    """Attention to the tokens themselves, or to `key_value_states`, whose keys and values a cache computes once."""

    eager = staticmethod(eager_plain)
    key_bias = True

    def __init__(
        self,
        config: PreTrainedConfig,
        heads: int,
        is_decoder: bool = False,
        is_causal: bool = False,
        layer_idx: int | None = None,
    ) -> None:
        super().__init__()
        size = config.d_model
        self.config = config
        self.dropout = config.attention_dropout
        self.num_heads = heads
        self.head_dim = size // heads
        if self.head_dim * heads != size:
            raise ValueError(
                f"embed_dim must be divisible by num_heads (got `embed_dim`: {size} and `num_heads`: {heads})."
            )
        self.scaling = self.head_dim**-0.5
        self.is_decoder = is_decoder
        self.is_causal = is_causal
        self.layer_idx = layer_idx
        self.k_proj = nn.Linear(size, size, bias=self.key_bias)
        self.v_proj = nn.Linear(size, size)
        self.q_proj = nn.Linear(size, size)
        self.out_proj = nn.Linear(size, size)

    def ask(self, states: Tensor, shape: tuple[int, ...]) -> Tensor:
        """Queries [batch, heads, length, size]."""
        return self.q_proj(states).view(shape).transpose(1, 2)

    def project(self, source: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Keys and values [batch, heads, length, size]."""
        key = self.k_proj(source)
        value = self.v_proj(source)
        shape = (*source.shape[:-1], -1, self.head_dim)
        key = key.view(shape).transpose(1, 2)
        value = value.view(shape).transpose(1, 2)
        return key, value

    def remember(self, past_key_values: Cache | None, crossing: Any) -> Any:
        """The memory to use, and whether it holds the encoder's keys and values already."""
        if not isinstance(past_key_values, EncoderDecoderCache):
            return past_key_values, False
        known = past_key_values.is_updated.get(self.layer_idx)
        if crossing:
            past_key_values.is_updated[self.layer_idx] = True
            return past_key_values.cross_attention_cache, known
        return past_key_values.self_attention_cache, known

    def forward(
        self,
        hidden_states: Tensor,
        key_value_states: Tensor | None = None,
        past_key_values: Cache | None = None,
        attention_mask: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        crossing = key_value_states is not None
        shape = hidden_states.shape[:-1]
        query = self.ask(hidden_states, (*shape, -1, self.head_dim))
        memory, known = self.remember(past_key_values, crossing)
        if crossing and known:
            key = memory.layers[self.layer_idx].keys
            value = memory.layers[self.layer_idx].values
        else:
            key, value = self.project(key_value_states if crossing else hidden_states)
            if memory is not None:
                key, value = memory.update(key, value, self.layer_idx)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.dropout if self.training else 0.0,
            scaling=self.scaling,
            **kwargs,
        )
        output = output.reshape(*shape, -1).contiguous()
        output = self.out_proj(output)
        return output, weights
