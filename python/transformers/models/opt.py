"""opt: learned positions that follow the mask, norms before or after each part, embeddings that may be narrower."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..parts.attention import HeadedModule, eager_wide
from ..cores.blocks import HEADS, BlockModel, block_family
from ..configuration_utils import PreTrainedConfig
from ..masking_utils import create_causal_mask
from ..modeling_utils import BLOCK_RECORDS, Block, PreTrainedModel

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.modeling_outputs import ModelOutput


class OPTConfig(PreTrainedConfig):
    model_type = "opt"
    vocab_size = 50272
    hidden_size = 768
    num_hidden_layers = 12
    ffn_dim = 3072
    max_position_embeddings = 2048
    do_layer_norm_before = True
    _remove_final_layer_norm = False
    word_embed_proj_dim = None
    dropout = 0.1
    attention_dropout = 0.0
    num_attention_heads = 12
    activation_function = "relu"
    layerdrop = 0.0
    init_std = 0.02
    use_cache = True
    pad_token_id = 1
    bos_token_id = 2
    eos_token_id = 2
    enable_bias = True
    layer_norm_elementwise_affine = True

    def complete(self) -> None:
        if self.word_embed_proj_dim is None:
            self.word_embed_proj_dim = self.hidden_size


class OPTLearnedPositionalEmbedding(nn.Embedding):
    offset = 2

    def __init__(self, count: int, size: int) -> None:
        super().__init__(count + self.offset, size)

    def forward(self, position_ids: Tensor | None) -> Any:
        return super().forward(position_ids + self.offset)


class OPTAttention(HeadedModule):
    eager = staticmethod(eager_wide)

    def __init__(self, config: OPTConfig, layer_idx: int | None) -> None:
        super().__init__()
        size, bias = config.hidden_size, config.enable_bias
        self.config = config
        self.layer_idx = layer_idx
        self.head_dim = size // config.num_attention_heads
        self.is_causal = True
        self.scaling = self.head_dim**-0.5
        self.k_proj = nn.Linear(size, size, bias=bias)
        self.v_proj = nn.Linear(size, size, bias=bias)
        self.q_proj = nn.Linear(size, size, bias=bias)
        self.out_proj = nn.Linear(size, size, bias=bias)

    def forward(
        self,
        hidden_states: Tensor,
        past_key_values: Cache | None = None,
        attention_mask: Tensor | None = None,
        **kwargs: Any,
    ) -> tuple[Tensor, Tensor | None, Cache | None]:
        batch, length, _ = hidden_states.shape
        shape = (batch, -1, self.config.num_attention_heads, self.head_dim)
        query = self.q_proj(hidden_states) * self.scaling
        query = query.view(shape).transpose(1, 2)
        key = self.k_proj(hidden_states)
        value = self.v_proj(hidden_states)
        key = key.view(shape).transpose(1, 2)
        value = value.view(shape).transpose(1, 2)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.config.attention_dropout if self.training else 0.0,
            scaling=1.0,
            **kwargs,
        )
        output = output.reshape(batch, length, -1).contiguous()
        output = self.out_proj(output)
        return output, weights


class OPTDecoderLayer(Block):
    def __init__(self, config: OPTConfig, layer_idx: int | None) -> None:
        super().__init__()
        size, affine = config.hidden_size, config.layer_norm_elementwise_affine
        self.self_attn = OPTAttention(config, layer_idx)
        self.before = config.do_layer_norm_before
        self.dropout = config.dropout
        self.activation_fn = ACT2FN[config.activation_function]
        self.self_attn_layer_norm = nn.LayerNorm(size, elementwise_affine=affine)
        self.fc1 = nn.Linear(size, config.ffn_dim, bias=config.enable_bias)
        self.fc2 = nn.Linear(config.ffn_dim, size, bias=config.enable_bias)
        self.final_layer_norm = nn.LayerNorm(size, elementwise_affine=affine)

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        past_key_values: Cache | None = None,
        use_cache: bool | None = False,
        **kwargs: Any,
    ) -> Tensor:
        residual = hidden_states
        if self.before:
            hidden_states = self.self_attn_layer_norm(hidden_states)
        hidden_states, _ = self.self_attn(
            hidden_states=hidden_states, past_key_values=past_key_values, attention_mask=attention_mask, **kwargs
        )
        hidden_states = F.dropout(hidden_states, p=self.dropout, training=self.training)
        hidden_states = residual + hidden_states
        if not self.before:
            hidden_states = self.self_attn_layer_norm(hidden_states)
        shape = hidden_states.shape
        hidden_states = hidden_states.reshape(-1, shape[-1])
        residual = hidden_states
        if self.before:
            hidden_states = self.final_layer_norm(hidden_states)
        hidden_states = self.fc1(hidden_states)
        hidden_states = self.activation_fn(hidden_states)
        hidden_states = self.fc2(hidden_states)
        hidden_states = F.dropout(hidden_states, p=self.dropout, training=self.training)
        hidden_states = (residual + hidden_states).view(shape)
        if not self.before:
            hidden_states = self.final_layer_norm(hidden_states)
        return hidden_states


class OPTDecoder(BlockModel):
    records = BLOCK_RECORDS
    supports_sdpa = True
    embedding_name = "embed_tokens"
    blocks_name = "layers"
    past_name = "past_key_values"

    def build(self, config: PreTrainedConfig) -> None:
        size, width = config.hidden_size, config.word_embed_proj_dim
        self.embed_tokens = nn.Embedding(config.vocab_size, width, config.pad_token_id)
        self.embed_positions = OPTLearnedPositionalEmbedding(config.max_position_embeddings, size)
        self.project_out = nn.Linear(size, width, bias=False) if width != size else None
        self.project_in = nn.Linear(width, size, bias=False) if width != size else None
        last = config.do_layer_norm_before and not config._remove_final_layer_norm
        affine = config.layer_norm_elementwise_affine
        self.final_layer_norm = nn.LayerNorm(size, elementwise_affine=affine) if last else None
        self.layers = nn.ModuleList(OPTDecoderLayer(config, index) for index in range(config.num_hidden_layers))

    def last_steps(self) -> list:
        return [step for step in (self.final_layer_norm, self.project_out) if step is not None]

    def prepare(
        self,
        embeds: Tensor,
        attention_mask: Tensor | None,
        past_key_values: Cache | None,
        position_ids: Tensor,
        token_type_ids: Tensor,
    ) -> tuple:
        seen = past_key_values.get_seq_length() if past_key_values is not None else 0
        if attention_mask is None:
            attention_mask = torch.ones(embeds.shape[0], seen + embeds.shape[1], device=embeds.device)
        if position_ids is None:
            position_ids = torch.cumsum(attention_mask, dim=1)
            position_ids = (position_ids * attention_mask - 1).long()
            position_ids = position_ids[:, seen:]
        mask = create_causal_mask(self.config, embeds, attention_mask, past_key_values)
        positions = self.embed_positions(position_ids)
        if self.project_in is not None:
            embeds = self.project_in(embeds)
        hidden_states = embeds + positions
        shared = {"attention_mask": mask, "position_ids": position_ids}
        return hidden_states, shared, (embeds, attention_mask, positions)


class OPTModel(PreTrainedModel):
    embedding_name = "decoder.embed_tokens"

    def __init__(self, config: OPTConfig) -> None:
        super().__init__(config)
        self.decoder = OPTDecoder(config)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.decoder.embed_tokens

    def forward(self, input_ids: Tensor | None = None, **kwargs: Any) -> ModelOutput:
        return self.decoder(input_ids=input_ids, **kwargs)


block_family(
    "OPT",
    OPTConfig,
    OPTModel,
    heads={
        ending: type(ending, (HEADS[ending],), {"head_in": "word_embed_proj_dim"})
        for ending in ("ForSequenceClassification", "ForQuestionAnswering")
    },
    head_in="word_embed_proj_dim",
)
