"""Latent attention: keys and values come from one narrow state per token; a part of each head turns, the same for all keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from .attention import HeadedModule
from .norms import RMSNorm

if TYPE_CHECKING:
    from typing import NoReturn

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.configuration_utils import PreTrainedConfig


class LatentAttention(HeadedModule):
    """`turn(query part, key part, position embeddings)` is what a family says about positions."""

    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.config = config
        self.layer_idx = layer_idx
        self.num_key_value_groups = config.num_attention_heads // config.num_key_value_heads
        self.attention_dropout = config.attention_dropout
        self.num_heads = config.num_attention_heads
        self.rank = config.kv_lora_rank
        self.turning, self.still = config.qk_rope_head_dim, config.qk_nope_head_dim
        self.value_size = config.v_head_dim
        self.head_size = self.turning + self.still
        self.is_causal = True
        hidden, heads, bias = config.hidden_size, self.num_heads, config.attention_bias
        if config.q_lora_rank is None:
            self.q_proj = nn.Linear(hidden, heads * self.head_size, bias=False)
        else:
            self.q_a_proj = nn.Linear(hidden, config.q_lora_rank, bias=bias)
            self.q_a_layernorm = RMSNorm(config.q_lora_rank)
            self.q_b_proj = nn.Linear(config.q_lora_rank, heads * self.head_size, bias=False)
        self.kv_a_proj_with_mqa = nn.Linear(hidden, self.rank + self.turning, bias=bias)
        self.kv_a_layernorm = RMSNorm(self.rank)
        self.kv_b_proj = nn.Linear(self.rank, heads * (self.still + self.value_size), bias=False)
        self.o_proj = nn.Linear(heads * self.value_size, hidden, bias=bias)
        self.scaling = self.scale(config)

    def scale(self, config: PreTrainedConfig) -> float:
        return self.head_size**-0.5

    def turn(self, query: Tensor, key: Tensor, positions: Tensor) -> NoReturn:
        raise NotImplementedError

    def pads_values(self) -> bool:
        """Flash attention wants heads of one size."""
        return "flash" in self.config._attn_implementation and self.head_size != self.value_size

    def forward(
        self,
        hidden_states: Tensor,
        position_embeddings: tuple[Tensor, Tensor] | None = None,
        attention_mask: Tensor | None = None,
        past_key_values: Cache | None = None,
        **kwargs: Tensor | bool,
    ) -> tuple[Tensor, None]:
        batch, length = hidden_states.shape[:-1]
        if self.config.q_lora_rank is None:
            queries = self.q_proj(hidden_states)
        else:
            queries = self.q_b_proj(self.q_a_layernorm(self.q_a_proj(hidden_states)))
        queries = queries.view(batch, length, -1, self.head_size).transpose(1, 2)
        still_query, turned_query = torch.split(queries, [self.still, self.turning], dim=-1)
        latent = self.kv_a_proj_with_mqa(hidden_states)
        still_key, turned_key = torch.split(latent, [self.rank, self.turning], dim=-1)
        still_key = self.kv_b_proj(self.kv_a_layernorm(still_key)).view(batch, length, -1, self.still + self.value_size)
        still_key = still_key.transpose(1, 2)
        still_key, value = torch.split(still_key, [self.still, self.value_size], dim=-1)
        turned_key = turned_key.view(batch, 1, length, self.turning)
        turned_query, turned_key = self.turn(turned_query, turned_key, position_embeddings)
        turned_key = turned_key.expand(*still_key.shape[:-1], -1)
        query = torch.cat((still_query, turned_query), dim=-1)
        key = torch.cat((still_key, turned_key), dim=-1)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        if self.pads_values():
            value = F.pad(value, [0, self.head_size - self.value_size])
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.attention_dropout if self.training else 0.0,
            scaling=self.scaling,
            **kwargs,
        )
        if self.pads_values():
            output = output[:, :, :, : self.value_size]
        output = output.reshape(batch, length, -1).contiguous()
        output = self.o_proj(output)
        return output, weights
