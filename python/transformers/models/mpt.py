"""mpt: distances are added to scores (ALiBi), no biases anywhere, layer norms without a bias."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cores.blocks import BlockModel, block_family
from ..configuration_utils import PreTrainedConfig
from ..masking_utils import create_causal_mask
from ..modeling_utils import Block

if TYPE_CHECKING:
    from torch import Tensor
    from transformers.cache_utils import Cache


class MptAttentionConfig(PreTrainedConfig):
    attn_type = "multihead_attention"
    attn_pdrop = 0
    attn_impl = "torch"
    clip_qkv = None
    softmax_scale = None
    prefix_lm = False
    qk_ln = False
    attn_uses_sequence_id = False
    alibi = True
    alibi_bias_max = 8


class MptConfig(PreTrainedConfig):
    model_type = "mpt"
    sub_configs = {"attn_config": MptAttentionConfig}
    attribute_map = {"num_attention_heads": "n_heads", "hidden_size": "d_model", "num_hidden_layers": "n_layers"}
    d_model = 2048
    n_heads = 16
    n_layers = 24
    expansion_ratio = 4
    max_seq_len = 2048
    vocab_size = 50368
    resid_pdrop = 0.0
    layer_norm_epsilon = 1e-5
    emb_pdrop = 0.0
    learned_pos_emb = True
    attn_config = None
    init_device = "cpu"
    logit_scale = None
    no_bias = True
    embedding_fraction = 1.0
    norm_type = "low_precision_layernorm"
    use_cache = False
    initializer_range = 0.02


def alibi_of(heads: int, length: int, device: torch.device | str | int) -> Tensor:
    """What to add to scores by the place of the key: [heads, 1, length] in float32."""
    alibi = torch.arange(1 - length, 1, dtype=torch.int32, device=device).view(1, 1, 1, length)
    power = 2 ** math.ceil(math.log2(heads))
    base = torch.arange(1, power + 1, dtype=torch.int64, device=device).float()
    base = base * (8 / power)
    slopes = 1.0 / torch.pow(2, base)
    slopes = slopes.view(1, power, 1, 1)
    if power != heads:
        slopes = torch.concat([slopes[:, 1::2, ...], slopes[:, ::2, ...]], dim=1)[:, :heads, ...]
    alibi = alibi * slopes
    return alibi.squeeze(0)


def norm_without_bias(config: PreTrainedConfig) -> torch.nn.Module:
    norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_epsilon)
    norm.bias = None
    return norm


class MptAttention(nn.Module):
    def __init__(self, config: MptConfig, layer_idx: int | None) -> None:
        super().__init__()
        part, size = config.attn_config, config.hidden_size
        self.n_heads = config.n_heads
        self.head_dim = size // config.n_heads
        self.softmax_scale = 1 / math.sqrt(size / config.n_heads) if part.softmax_scale is None else part.softmax_scale
        self.dropout = part.attn_pdrop
        self.clip_qkv = part.clip_qkv
        self.Wqkv = nn.Linear(size, 3 * size, bias=False)
        self.out_proj = nn.Linear(size, size, bias=False)
        self.layer_idx = layer_idx

    def forward(
        self,
        hidden_states: Tensor,
        position_bias: Tensor,
        past_key_values: Cache | None = None,
        attention_mask: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        batch, length = hidden_states.shape[:2]
        mixed = self.Wqkv(hidden_states)
        if self.clip_qkv:
            mixed = mixed.clamp(min=-self.clip_qkv, max=self.clip_qkv)
        shape = (batch, length, self.n_heads, self.head_dim)
        query, key, value = mixed.chunk(3, dim=2)
        query = query.reshape(shape).transpose(1, 2)
        key = key.reshape(shape).transpose(1, 2)
        value = value.reshape(shape).transpose(1, 2)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        scores = torch.matmul(query, key.transpose(-1, -2)) * self.softmax_scale
        # the memory counts the new tokens already, so they are counted twice
        queries = length if past_key_values is None else length + past_key_values.get_seq_length()
        if position_bias is not None:
            first_query = max(0, position_bias.size(1) - queries)
            first_key = max(0, position_bias.size(2) - key.shape[-2])
            position_bias = position_bias[:, first_query:, first_key:]
            scores = scores + position_bias
        if attention_mask is not None:
            scores = scores.masked_fill(attention_mask, torch.finfo(query.dtype).min)
        weights = F.softmax(scores.float(), dim=-1).to(value.dtype)
        weights = F.dropout(weights, p=self.dropout, training=self.training)
        context = torch.matmul(weights, value)
        context = context.permute(0, 2, 1, 3).contiguous().view(batch, length, -1)
        output = self.out_proj(context)
        return output, weights


class MptMLP(nn.Module):
    def __init__(self, config: MptConfig) -> None:
        super().__init__()
        size = config.hidden_size
        self.up_proj = nn.Linear(size, 4 * size, bias=False)
        self.act = nn.GELU()
        self.down_proj = nn.Linear(4 * size, size, bias=False)
        self.dropout = config.attn_config.attn_pdrop

    def forward(self, x: Tensor, residual: Tensor) -> Tensor:
        x = self.act(self.up_proj(x))
        between = self.down_proj(x)
        output = F.dropout(between, p=self.dropout, training=self.training)
        output = output + residual
        return output


class MptBlock(Block):
    def __init__(self, config: MptConfig, layer_idx: int | None) -> None:
        super().__init__()
        self.norm_1 = norm_without_bias(config)
        self.attn = MptAttention(config, layer_idx)
        self.norm_2 = norm_without_bias(config)
        self.ffn = MptMLP(config)
        self.resid_attn_dropout = nn.Dropout(config.attn_config.attn_pdrop)

    def forward(
        self,
        hidden_states: Tensor,
        position_bias: Tensor,
        attention_mask: Tensor,
        layer_past: Cache | None = None,
        **_: bool,
    ) -> tuple[Tensor, Tensor]:
        normed = self.norm_1(hidden_states)
        residual = hidden_states
        attended, weights = self.attn(
            normed, position_bias=position_bias, attention_mask=attention_mask, past_key_values=layer_past
        )
        hidden_states = self.resid_attn_dropout(attended) + residual
        normed = self.norm_2(hidden_states)
        residual = hidden_states
        output = self.ffn(normed, residual)
        return output, weights


class MptModel(BlockModel):
    blocks_name = "blocks"
    norm_name = "norm_f"

    def build(self, config: PreTrainedConfig) -> None:
        self.wte = nn.Embedding(config.vocab_size, config.hidden_size)
        self.blocks = nn.ModuleList(MptBlock(config, index) for index in range(config.n_layers))
        self.norm_f = norm_without_bias(config)

    def prepare(
        self,
        embeds: Tensor,
        attention_mask: Tensor | None,
        past_key_values: Cache | None,
        position_ids: Tensor | None,
        token_type_ids: Tensor | None,
    ) -> tuple[Tensor, dict[str, Tensor], Tensor]:
        alibi = alibi_of(self.config.n_heads, self.config.max_seq_len, embeds.device)
        mask = create_causal_mask(self.config, embeds, attention_mask, past_key_values).to(torch.bool)
        return embeds, {"position_bias": alibi, "attention_mask": mask}, embeds


block_family("Mpt", MptConfig, MptModel, also=("AutoModelForPreTraining",), takes_positions=False)
