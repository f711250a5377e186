"""gpt2: learned positions, one projection for queries, keys and values, layer norms, a plain feed-forward part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..parts.attention import HeadedModule
from ..cores.blocks import BlockModel, PreNormBlock, block_family, create_position_ids
from ..configuration_utils import PreTrainedConfig
from ..pytorch_utils import Conv1D
from ..masking_utils import create_causal_mask
from ..modeling_utils import BLOCK_RECORDS

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache


class GPT2Config(PreTrainedConfig):
    model_type = "gpt2"
    attribute_map = {
        "hidden_size": "n_embd",
        "max_position_embeddings": "n_positions",
        "num_attention_heads": "n_head",
        "num_hidden_layers": "n_layer",
    }
    vocab_size = 50257
    n_positions = 1024
    n_embd = 768
    n_layer = 12
    n_head = 12
    n_inner = None
    activation_function = "gelu_new"
    resid_pdrop = 0.1
    embd_pdrop = 0.1
    attn_pdrop = 0.1
    layer_norm_epsilon = 1e-5
    scale_attn_weights = True
    scale_attn_by_inverse_layer_idx = False
    reorder_and_upcast_attn = False
    add_cross_attention = False
    use_cache = True
    bos_token_id = 50256
    eos_token_id = 50256


def eager_in_own_dtype(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    **_: Any,
) -> tuple:
    """Scores and their softmax stay in the dtype of the queries (float32 under autocast)."""
    if scaling is None:
        scaling = query.size(-1) ** -0.5
    weights = torch.matmul(query, key.transpose(-1, -2)) * scaling
    if mask is not None:
        weights = weights + mask
    weights = F.softmax(weights, dim=-1)
    weights = weights.type(value.dtype)
    weights = F.dropout(weights, p=dropout, training=module.training)
    output = torch.matmul(weights, value)
    output = output.transpose(1, 2)
    return output, weights


class GPT2Attention(HeadedModule):
    eager = staticmethod(eager_in_own_dtype)

    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.config = config
        self.layer_idx = layer_idx
        self.split_size = config.hidden_size
        self.head_dim = config.hidden_size // config.num_attention_heads
        self.scaling = self.head_dim**-0.5 if config.scale_attn_weights else 1.0
        if config.scale_attn_by_inverse_layer_idx:
            self.scaling /= layer_idx + 1
        self.c_attn = Conv1D(3 * config.hidden_size, config.hidden_size)
        self.c_proj = Conv1D(config.hidden_size, config.hidden_size)
        self.attn_dropout = nn.Dropout(config.attn_pdrop)
        self.resid_dropout = nn.Dropout(config.resid_pdrop)
        self.is_causal = True

    def forward(
        self,
        hidden_states: Tensor | None,
        past_key_values: Cache | None = None,
        attention_mask: Tensor | None = None,
        **kwargs: Tensor | bool,
    ) -> tuple[Tensor | tuple[Tensor], ...]:
        query, key, value = self.c_attn(hidden_states).split(self.split_size, dim=2)
        shape = (*key.shape[:-1], -1, self.head_dim)
        key = key.view(shape).transpose(1, 2)
        value = value.view(shape).transpose(1, 2)
        query = query.view(shape).transpose(1, 2)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.attn_dropout.p if self.training else 0.0,
            scaling=self.scaling,
            **kwargs,
        )
        output = output.reshape(*output.shape[:-2], -1).contiguous()
        output = self.c_proj(output)
        output = self.resid_dropout(output)
        return output, weights


class GPT2MLP(nn.Module):
    def __init__(self, size: int, config: PreTrainedConfig) -> None:
        super().__init__()
        self.c_fc = Conv1D(size, config.hidden_size)
        self.c_proj = Conv1D(config.hidden_size, size)
        self.act = ACT2FN[config.activation_function]
        self.dropout = nn.Dropout(config.resid_pdrop)

    def forward(self, x: Tensor) -> Tensor:
        x = self.c_fc(x)
        x = self.act(x)
        x = self.c_proj(x)
        x = self.dropout(x)
        return x


class GPT2Block(PreNormBlock):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        size = config.hidden_size
        self.ln_1 = nn.LayerNorm(size, eps=config.layer_norm_epsilon)
        self.attn = GPT2Attention(config, layer_idx)
        self.ln_2 = nn.LayerNorm(size, eps=config.layer_norm_epsilon)
        self.mlp = GPT2MLP(config.n_inner if config.n_inner is not None else 4 * size, config)


class GPT2Model(BlockModel):
    records = BLOCK_RECORDS
    supports_sdpa = True
    past_name = "past_key_values"

    def build(self, config: PreTrainedConfig) -> None:
        if config.add_cross_attention:
            raise NotImplementedError("vramscope's gpt2 has no cross-attention")
        size = config.hidden_size
        self.wte = nn.Embedding(config.vocab_size, size)
        self.wpe = nn.Embedding(config.max_position_embeddings, size)
        self.drop = nn.Dropout(config.embd_pdrop)
        self.h = nn.ModuleList(GPT2Block(config, index) for index in range(config.num_hidden_layers))
        self.ln_f = nn.LayerNorm(size, eps=config.layer_norm_epsilon)

    def prepare(
        self,
        embeds: Tensor,
        attention_mask: Tensor | None,
        past_key_values: Cache,
        position_ids: Tensor | None,
        token_type_ids: Tensor | None,
    ) -> tuple[Tensor, dict[str, Tensor | None], tuple[Tensor, Tensor, None]]:
        if position_ids is None:
            position_ids = create_position_ids(embeds, past_key_values)
        positions = self.wpe(position_ids)
        hidden_states = embeds + positions
        if attention_mask is not None and attention_mask.ndim < 4:
            attention_mask = attention_mask.view(embeds.shape[0], -1)
        mask = create_causal_mask(self.config, embeds, attention_mask, past_key_values, position_ids)
        hidden_states, types = self.with_types(hidden_states, embeds, token_type_ids)
        hidden_states = self.drop(hidden_states)
        shared = {"attention_mask": mask, "position_ids": position_ids}
        return hidden_states, shared, (embeds, positions, types)


block_family(
    "GPT2",
    GPT2Config,
    GPT2Model,
    names={"ForCausalLM": "LMHeadModel"},
    also=("AutoModelForPreTraining",),
)
