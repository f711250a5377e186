"""gpt_bigcode: learned positions; all queries share one head of keys and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..activations import ACT2FN
from ..parts.attention import HeadedModule
from ..cores.blocks import BlockMLP, BlockTokenClassifier, PositionedModel, PreNormBlock, block_family
from ..configuration_utils import PreTrainedConfig
from ..cores.decoder_heads import SequenceClassifier
from ..modeling_utils import BLOCK_RECORDS

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache


class GPTBigCodeConfig(PreTrainedConfig):
    model_type = "gpt_bigcode"
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
    activation_function = "gelu_pytorch_tanh"
    resid_pdrop = 0.1
    embd_pdrop = 0.1
    attn_pdrop = 0.1
    layer_norm_epsilon = 1e-5
    initializer_range = 0.02
    scale_attn_weights = True
    use_cache = True
    bos_token_id = 50256
    eos_token_id = 50256
    attention_softmax_in_fp32 = True
    scale_attention_softmax_in_fp32 = True
    multi_query = True
    add_cross_attention = False

    def complete(self) -> None:
        self.num_key_value_heads = 1 if self.multi_query else self.n_head


class GPTBigCodeAttention(HeadedModule):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.config = config
        self.layer_idx = layer_idx
        size = config.hidden_size
        self.num_heads = config.num_attention_heads
        self.head_dim = size // self.num_heads
        self.sizes = (size, self.head_dim * config.num_key_value_heads, self.head_dim * config.num_key_value_heads)
        self.num_key_value_groups = self.num_heads // config.num_key_value_heads
        self.is_causal = True
        self.scaling = self.head_dim**-0.5 if config.scale_attn_weights else 1.0
        self.c_attn = nn.Linear(size, sum(self.sizes))
        self.c_proj = nn.Linear(size, size)
        self.attn_dropout = config.attn_pdrop
        self.resid_dropout = nn.Dropout(config.resid_pdrop)

    def forward(
        self,
        hidden_states: Tensor,
        layer_past: Cache | None = None,
        attention_mask: Tensor | None = None,
        **kwargs: bool,
    ) -> Any:
        shape = hidden_states.shape[:-1]
        if self.config.multi_query:
            query, key, value = self.c_attn(hidden_states).unsqueeze(1).split(self.sizes, dim=3)
            query = query.view(*shape, -1, self.head_dim).transpose(1, 2)
        else:
            heads = self.c_attn(hidden_states).view(*shape, self.num_heads, 3 * self.head_dim).transpose(1, 2)
            query, key, value = heads.split(3 * [self.head_dim], dim=3)
            del heads
        if layer_past is not None:
            key, value = layer_past.update(key, value, self.layer_idx)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.attn_dropout if self.training else 0.0,
            scaling=self.scaling,
            **kwargs,
        )
        output = output.reshape(*shape, -1).contiguous()
        output = self.c_proj(output)
        output = self.resid_dropout(output)
        return output, weights


class GPTBigCodeBlock(PreNormBlock):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        size = config.hidden_size
        inner = config.n_inner if config.n_inner is not None else 4 * size
        self.ln_1 = nn.LayerNorm(size, eps=config.layer_norm_epsilon)
        self.attn = GPTBigCodeAttention(config, layer_idx)
        self.ln_2 = nn.LayerNorm(size, eps=config.layer_norm_epsilon)
        self.mlp = BlockMLP(config, inner, ACT2FN[config.activation_function], config.resid_pdrop)


class GPTBigCodeModel(PositionedModel):
    records = BLOCK_RECORDS
    supports_sdpa = True

    def build(self, config: PreTrainedConfig) -> None:
        if config.add_cross_attention:
            raise NotImplementedError("vramscope's gpt_bigcode has no cross-attention")
        size, count = config.hidden_size, config.max_position_embeddings
        self.wte = nn.Embedding(config.vocab_size, size)
        self.wpe = nn.Embedding(count, size)
        self.drop = nn.Dropout(config.embd_pdrop)
        self.h = nn.ModuleList(GPTBigCodeBlock(config, index) for index in range(config.num_hidden_layers))
        self.ln_f = nn.LayerNorm(size, eps=config.layer_norm_epsilon)
        self.register_buffer("bias", torch.tril(torch.ones((count, count), dtype=torch.bool)), persistent=False)


block_family(
    "GPTBigCode",
    GPTBigCodeConfig,
    GPTBigCodeModel,
    also=("AutoModelForPreTraining",),
    heads={"ForSequenceClassification": SequenceClassifier, "ForTokenClassification": BlockTokenClassifier},
)
