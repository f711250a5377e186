"""falcon: one projection that may share keys among queries, positions by turning or by ALiBi, parts side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..cores.blocks import BlockModel, block_family, create_position_ids
from ..configuration_utils import PreTrainedConfig
from ..masking_utils import create_causal_mask
from ..modeling_utils import Block
from ..parts.rope import RotaryEmbedding, rotate
from .bloom import dropout_add, slopes_of

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache


class FalconConfig(PreTrainedConfig):
    model_type = "falcon"
    attribute_map = {"n_embed": "hidden_size"}
    has_rope = True
    vocab_size = 65024
    hidden_size = 4544
    num_hidden_layers = 32
    num_attention_heads = 71
    num_ln_in_parallel_attn = None
    layer_norm_epsilon = 1e-5
    initializer_range = 0.02
    use_cache = True
    hidden_dropout = 0.0
    attention_dropout = 0.0
    num_kv_heads = None
    alibi = False
    new_decoder_architecture = False
    multi_query = True
    parallel_attn = True
    bias = False
    max_position_embeddings = 2048
    bos_token_id = 11
    eos_token_id = 11
    ffn_hidden_size = None
    activation = "gelu"

    def complete(self) -> None:
        if self.num_kv_heads is None:
            self.num_kv_heads = self.num_attention_heads
        if self.ffn_hidden_size is None:
            self.ffn_hidden_size = self.hidden_size * 4

    @property
    def head_dim(self) -> Any:
        return self.hidden_size // self.num_attention_heads

    @property
    def rotary(self) -> bool:
        return not self.alibi


def alibi_of(mask: Tensor | None, heads: int, dtype: torch.dtype) -> Any:
    """As bloom's, with slopes in bfloat16."""
    batch, length = mask.shape
    slopes, *_kept = slopes_of(heads, mask.device)
    positions = ((mask.cumsum(dim=-1) - 1) * mask)[:, None, :]
    alibi = slopes[..., None].bfloat16() * positions
    return alibi.reshape(batch * heads, 1, length).to(dtype)


class FalconLinear(nn.Linear):
    """The product and the bias are two operators."""

    def forward(self, x: Tensor) -> Tensor:
        result = x @ self.weight.T
        if self.bias is None:
            return result
        return result + self.bias


class FalconAttention(nn.Module):
    def __init__(self, config: FalconConfig, layer_idx: int) -> None:
        super().__init__()
        size, head = config.hidden_size, config.head_dim
        self.config = config
        self.layer_idx = layer_idx
        self.num_heads = config.num_attention_heads
        self.head_dim = head
        if config.new_decoder_architecture:
            width = (config.num_kv_heads * 2 + self.num_heads) * head
        else:
            width = size + 2 * head if config.multi_query else 3 * size
        self.query_key_value = FalconLinear(size, width, bias=config.bias)
        self.dense = FalconLinear(size, size, bias=config.bias)
        self.attention_dropout = nn.Dropout(config.attention_dropout)
        shared = config.multi_query and not config.new_decoder_architecture
        self.num_kv_heads = 1 if shared else config.num_kv_heads

    def _split(self, fused):
        batch, length, _ = fused.shape
        if self.config.new_decoder_architecture:
            groups = fused.view(batch, length, -1, self.num_heads // self.num_kv_heads + 2, self.head_dim)
            query = groups[:, :, :, :-2]
            key = groups[:, :, :, [-2]]
            value = groups[:, :, :, [-1]]
            key = torch.broadcast_to(key, query.shape)
            value = torch.broadcast_to(value, query.shape)
            query, key, value = [x.flatten(2, 3) for x in (query, key, value)]
            return query, key, value
        if not self.config.multi_query:
            parts = fused.view(batch, length, self.num_heads, 3, self.head_dim)
            return parts[..., 0, :], parts[..., 1, :], parts[..., 2, :]
        parts = fused.view(batch, length, self.num_heads + 2, self.head_dim)
        return parts[..., :-2, :], parts[..., [-2], :], parts[..., [-1], :]

    def _fused(self, query, key, value, mask, dropout):
        causal = mask is None and query.shape[2] > 1
        return F.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropout, is_causal=causal)

    def _join(self, output, batch, length):
        return output.reshape(batch, length, self.num_heads * self.head_dim)

    def forward(
        self,
        hidden_states: Tensor,
        alibi: Tensor | None,
        attention_mask: Tensor,
        layer_past: Cache | None = None,
        output_attentions: bool = False,
        position_embeddings: tuple[Tensor, Tensor] | None = None,
        **_: Any,
    ) -> tuple:
        fused = self.query_key_value(hidden_states)
        kv_heads = self.num_heads if self.config.new_decoder_architecture else self.num_kv_heads
        query, key, value = self._split(fused)
        batch, length, _heads, _size = query.shape
        query = query.transpose(1, 2).reshape(batch, self.num_heads, length, self.head_dim)
        key = key.transpose(1, 2).reshape(batch, kv_heads, length, self.head_dim)
        value = value.transpose(1, 2).reshape(batch, kv_heads, length, self.head_dim)
        if alibi is None:
            cos, sin = position_embeddings
            query, key = rotate(query, key, cos, sin)
        if layer_past is not None:
            key, value = layer_past.update(key, value, self.layer_idx)
        fast = self.config._attn_implementation == "sdpa" and not output_attentions
        weights = None
        if fast:
            dropout = self.attention_dropout.p if self.training and alibi is not None else 0.0
            output = self._fused(query, key, value, attention_mask, dropout)
        elif alibi is None:
            weights = query @ key.transpose(-1, -2)
            weights /= math.sqrt(self.head_dim)
            weights = F.softmax(weights + attention_mask, dim=-1, dtype=hidden_states.dtype)
            output = weights @ value
        else:
            products = query @ key.transpose(-1, -2)
            scores = products.view(batch, self.num_heads, length, key.shape[-2])
            if scores.dtype in (torch.float16, torch.bfloat16):
                scores = scores.to(torch.float32)
            logits = scores + alibi.view(batch, self.num_heads, 1, -1)
            logits *= 1.0 / math.sqrt(self.head_dim)
            weights = F.softmax(logits + attention_mask, dim=-1, dtype=hidden_states.dtype)
            weights = self.attention_dropout(weights)
            output = weights @ value
        output = output.permute(0, 2, 1, 3)
        output = self._join(output, batch, length)
        output = self.dense(output)
        return output, weights


class FalconMLP(nn.Module):
    def __init__(self, config: FalconConfig) -> None:
        super().__init__()
        self.dense_h_to_4h = FalconLinear(config.hidden_size, config.ffn_hidden_size, bias=config.bias)
        self.act = ACT2FN[config.activation]
        self.dense_4h_to_h = FalconLinear(config.ffn_hidden_size, config.hidden_size, bias=config.bias)

    def forward(self, x: Tensor) -> Tensor:
        x = self.act(self.dense_h_to_4h(x))
        x = self.dense_4h_to_h(x)
        return x


class FalconDecoderLayer(Block):
    def __init__(self, config: FalconConfig, layer_idx: int) -> None:
        super().__init__()
        self.config = config
        self.self_attention = FalconAttention(config, layer_idx)
        self.mlp = FalconMLP(config)
        if config.num_ln_in_parallel_attn is None and config.new_decoder_architecture:
            config.num_ln_in_parallel_attn = 2
        names = ("input_layernorm",)
        if not config.parallel_attn:
            names = ("post_attention_layernorm", "input_layernorm")
        elif config.num_ln_in_parallel_attn == 2:
            names = ("ln_attn", "ln_mlp")
        for name in names:
            setattr(self, name, nn.LayerNorm(config.hidden_size, eps=config.layer_norm_epsilon))

    def forward(
        self,
        hidden_states: Tensor,
        alibi: Tensor | None,
        attention_mask: Tensor,
        layer_past: Cache | tuple[Tensor, Tensor] | None = None,
        output_attentions: bool = False,
        position_embeddings: tuple[Tensor, Tensor] | None = None,
        **_: Any,
    ) -> tuple:
        config = self.config
        residual = hidden_states
        if config.new_decoder_architecture and config.num_ln_in_parallel_attn == 2:
            for_attention = self.ln_attn(hidden_states)
            for_mlp = self.ln_mlp(hidden_states)
        else:
            for_attention = self.input_layernorm(hidden_states)
        attended, weights = self.self_attention(
            for_attention,
            layer_past=layer_past,
            attention_mask=attention_mask,
            alibi=alibi,
            output_attentions=output_attentions,
            position_embeddings=position_embeddings,
        )
        if not config.new_decoder_architecture and not config.parallel_attn:
            residual = dropout_add(attended, residual, config.attention_dropout, training=self.training)
            for_mlp = self.post_attention_layernorm(residual)
        elif not config.new_decoder_architecture or (config.parallel_attn and config.num_ln_in_parallel_attn == 1):
            for_mlp = for_attention
        fed_forward = self.mlp(for_mlp)
        if config.new_decoder_architecture or config.parallel_attn:
            fed_forward += attended
        output = dropout_add(fed_forward, residual, config.hidden_dropout, training=self.training)
        return output, weights


class FalconModel(BlockModel):
    supports_sdpa = True
    embedding_name = "word_embeddings"

    def build(self, config: PreTrainedConfig) -> None:
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.h = nn.ModuleList(FalconDecoderLayer(config, index) for index in range(config.num_hidden_layers))
        self.ln_f = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_epsilon)
        self.rotary_emb = RotaryEmbedding(config=config)

    def prepare(
        self,
        embeds: Tensor,
        attention_mask: Tensor | None,
        past_key_values: Cache | None,
        position_ids: Tensor,
        token_type_ids: Tensor,
    ) -> tuple:
        batch, length, _ = embeds.shape
        seen = past_key_values.get_seq_length() if past_key_values is not None else 0
        alibi = alibi_mask = None
        if self.config.alibi:
            alibi_mask = attention_mask
            if alibi_mask is None:
                alibi_mask = torch.ones((batch, length + seen), device=embeds.device, dtype=torch.long)
            alibi = alibi_of(alibi_mask, self.config.num_attention_heads, embeds.dtype)
        if position_ids is None:
            position_ids = create_position_ids(embeds, past_key_values)
        mask = create_causal_mask(
            self.config, embeds, attention_mask, past_key_values, and_mask_function=lambda *_: torch.tensor(True)
        )
        if alibi is not None and mask is not None and mask.ndim == 4:
            lowest = torch.finfo(embeds.dtype).min
            if mask.dtype == torch.bool:
                mask = torch.where(mask, torch.tensor(0.0, device=mask.device, dtype=embeds.dtype), lowest)
            alibi = alibi.reshape(batch, -1, *alibi.shape[1:])
            mask = torch.masked_fill(alibi / math.sqrt(self.config.head_dim), mask < -1, lowest)
        angles = self.rotary_emb(embeds, position_ids=position_ids)
        shared = {
            "attention_mask": mask,
            "position_ids": position_ids,
            "alibi": alibi,
            "position_embeddings": angles,
        }
        return embeds, shared, (embeds, alibi_mask)


block_family("Falcon", FalconConfig, FalconModel)
