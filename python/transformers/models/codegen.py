"""codegen: turns neighbours of queries and keys by a table that each layer owns; attention and feed-forward side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn

from ..activations import ACT2FN
from ..cores.blocks import BlockMLP, BlockModel, block_family, create_position_ids
from ..configuration_utils import PreTrainedConfig
from ..masking_utils import create_causal_mask
from ..modeling_utils import Block
from ..parts.rope_table import sinusoids, turn

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache


class NeighbourConfig(PreTrainedConfig):
    """What codegen and gptj have in common."""

    attribute_map = {
        "max_position_embeddings": "n_positions",
        "hidden_size": "n_embd",
        "num_attention_heads": "n_head",
        "num_hidden_layers": "n_layer",
    }
    vocab_size = 50400
    n_positions = 2048
    n_embd = 4096
    n_layer = 28
    n_head = 16
    rotary_dim = 64
    n_inner = None
    activation_function = "gelu_new"
    resid_pdrop = 0.0
    embd_pdrop = 0.0
    attn_pdrop = 0.0
    layer_norm_epsilon = 1e-5
    initializer_range = 0.02
    use_cache = True
    bos_token_id = 50256
    eos_token_id = 50256
    tie_word_embeddings = False


class CodeGenConfig(NeighbourConfig):
    model_type = "codegen"
    n_ctx = 2048


# The checkpoint's projection is cut for as many devices.
PARTS = 4


class CodeGenAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        size = config.hidden_size
        self.attn_dropout = nn.Dropout(config.attn_pdrop)
        self.resid_dropout = nn.Dropout(config.resid_pdrop)
        self.layer_idx = layer_idx
        self.num_heads = config.num_attention_heads
        self.head_dim = size // self.num_heads
        self.qkv_proj = nn.Linear(size, 3 * size, bias=False)
        self.out_proj = nn.Linear(size, size, bias=False)
        self.rotary_dim = config.rotary_dim
        table = sinusoids(config.max_position_embeddings, self.rotary_dim or size)
        self.register_buffer("embed_positions", table, persistent=False)

    def _heads(self, x):
        heads = x.reshape(x.shape[:-1] + (self.num_heads // PARTS, self.head_dim))
        return heads.reshape(x.shape[:-2] + (-1, self.head_dim))

    def _attend(self, query, key, value, attention_mask):
        query = query.to(torch.float32)
        key = key.to(torch.float32)
        weights = torch.matmul(query, key.transpose(-1, -2))
        if attention_mask is not None:
            weights = weights + attention_mask
        weights = weights / math.sqrt(self.head_dim)
        weights = nn.Softmax(dim=-1)(weights)
        weights = weights.to(value.dtype)
        weights = self.attn_dropout(weights)
        output = torch.matmul(weights, value)
        return output, weights

    def forward(
        self,
        hidden_states: Tensor | None,
        layer_past: Cache | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
    ) -> Any:
        fused = self.qkv_proj(hidden_states)
        parts = fused.reshape(fused.shape[:-1] + (PARTS, -1))
        query, value, key = torch.split(parts, self.head_dim * self.num_heads // PARTS, dim=-1)
        query = self._heads(query)
        key = self._heads(key)
        value = self._heads(value)
        value = value.permute(0, 2, 1, 3)
        sines = self.embed_positions[position_ids]
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
            key, value = layer_past.update(key.to(hidden_states.dtype), value, self.layer_idx)
        output, weights = self._attend(query, key, value, attention_mask)
        output = output.permute(0, 2, 1, 3).contiguous().flatten(-2)
        output = self.out_proj(output)
        output = self.resid_dropout(output)
        return output, weights


class CodeGenMLP(BlockMLP):
    names = ("fc_in", "fc_out")


class CodeGenBlock(Block):
    """Attention and the feed-forward part side by side, behind one norm."""

    attention_class = CodeGenAttention

    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        inner = config.n_inner if config.n_inner is not None else 4 * config.n_embd
        self.ln_1 = nn.LayerNorm(config.n_embd, eps=config.layer_norm_epsilon)
        self.attn = self.attention_class(config, layer_idx)
        self.mlp = CodeGenMLP(config, inner, ACT2FN[config.activation_function], config.resid_pdrop)

    def forward(
        self,
        hidden_states: Tensor | None,
        layer_past: Cache | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        **_: bool,
    ) -> tuple[Tensor] | tuple[Tensor, tuple[Tensor, ...]] | None:
        residual = hidden_states
        hidden_states = self.ln_1(hidden_states)
        attended, weights = self.attn(
            hidden_states=hidden_states, layer_past=layer_past, attention_mask=attention_mask, position_ids=position_ids
        )
        fed_forward = self.mlp(hidden_states)
        hidden_states = attended + fed_forward + residual
        return hidden_states, weights


class CodeGenModel(BlockModel):
    block_class = CodeGenBlock

    def build(self, config: PreTrainedConfig) -> None:
        self.wte = nn.Embedding(config.vocab_size, config.n_embd)
        self.drop = nn.Dropout(config.embd_pdrop)
        self.h = nn.ModuleList(self.block_class(config, index) for index in range(config.n_layer))
        self.ln_f = nn.LayerNorm(config.n_embd, eps=config.layer_norm_epsilon)

    def prepare(
        self,
        embeds: Tensor,
        attention_mask: Tensor | None,
        past_key_values: Cache,
        position_ids: Tensor | None,
        token_type_ids: Tensor | None,
    ) -> tuple[Tensor, dict[str, Tensor], tuple[Tensor, None]]:
        if position_ids is None:
            position_ids = create_position_ids(embeds, past_key_values)
        mask = create_causal_mask(self.config, embeds, attention_mask, past_key_values, position_ids)
        hidden_states, types = self.with_types(embeds, embeds, token_type_ids)
        hidden_states = self.drop(hidden_states)
        return hidden_states, {"attention_mask": mask, "position_ids": position_ids}, (embeds, types)


block_family("CodeGen", CodeGenConfig, CodeGenModel, heads={}, head_bias=True)
