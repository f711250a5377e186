"""gptj: turns neighbours by a table that each layer owns; attention and feed-forward side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cores.blocks import HEADS, block_family
from ..parts.rope_table import sinusoids, turn
from .codegen import CodeGenBlock, CodeGenModel, NeighbourConfig

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.configuration_utils import PreTrainedConfig


class GPTJConfig(NeighbourConfig):
    model_type = "gptj"


class GPTJAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        size = config.hidden_size
        self.attn_dropout = nn.Dropout(config.attn_pdrop)
        self.resid_dropout = nn.Dropout(config.resid_pdrop)
        self.layer_idx = layer_idx
        self.num_heads = config.num_attention_heads
        self.head_dim = size // self.num_heads
        self.k_proj = nn.Linear(size, size, bias=False)
        self.v_proj = nn.Linear(size, size, bias=False)
        self.q_proj = nn.Linear(size, size, bias=False)
        self.out_proj = nn.Linear(size, size, bias=False)
        self.rotary_dim = config.rotary_dim
        table = sinusoids(config.max_position_embeddings, self.rotary_dim or size)
        self.register_buffer("embed_positions", table, persistent=False)

    def _attend(self, query, key, value, attention_mask):
        query = query.to(torch.float32)
        key = key.to(torch.float32)
        weights = torch.matmul(query, key.transpose(-1, -2))
        weights = weights / math.sqrt(self.head_dim)
        if attention_mask is not None:
            weights = weights + attention_mask
        weights = F.softmax(weights, dim=-1)
        weights = weights.to(value.dtype)
        weights = self.attn_dropout(weights)
        output = torch.matmul(weights, value)
        return output, weights

    def forward(
        self,
        hidden_states: Tensor,
        layer_past: Cache | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
    ) -> Any:
        query = self.q_proj(hidden_states)
        key = self.k_proj(hidden_states)
        value = self.v_proj(hidden_states)
        shape = (*query.shape[:-1], self.num_heads, self.head_dim)
        query = query.view(shape)
        key = key.view(shape)
        value = value.view(shape).permute(0, 2, 1, 3)
        table = self.embed_positions.repeat(position_ids.shape[0], 1, 1)
        indices = position_ids.unsqueeze(-1).repeat(1, 1, table.shape[-1])
        sines = torch.gather(table, 1, indices).to(key.dtype)
        sin, cos = torch.split(sines, sines.shape[-1] // 2, dim=-1)
        if self.rotary_dim is not None:
            turning_key, passed_key = key[..., : self.rotary_dim], key[..., self.rotary_dim :]
            turning_query, passed_query = query[..., : self.rotary_dim], query[..., self.rotary_dim :]
            turning_key = turn(turning_key, sin, cos)
            turning_query = turn(turning_query, sin, cos)
            key = torch.cat([turning_key, passed_key], dim=-1)
            query = torch.cat([turning_query, passed_query], dim=-1)
        else:
            key = turn(key, sin, cos)
            query = turn(query, sin, cos)
        key = key.permute(0, 2, 1, 3)
        query = query.permute(0, 2, 1, 3)
        if layer_past is not None:
            key, value = layer_past.update(key, value, self.layer_idx)
        output, weights = self._attend(query, key, value, attention_mask)
        output = output.permute(0, 2, 1, 3).contiguous().flatten(-2)
        output = self.out_proj(output)
        output = self.resid_dropout(output)
        return output, weights


class GPTJBlock(CodeGenBlock):
    attention_class = GPTJAttention


class GPTJModel(CodeGenModel):
    block_class = GPTJBlock


block_family(
    "GPTJ",
    GPTJConfig,
    GPTJModel,
    heads={ending: HEADS[ending] for ending in ("ForSequenceClassification", "ForQuestionAnswering")},
    head_bias=True,
)
