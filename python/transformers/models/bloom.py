"""bloom: distances are added to scores (ALiBi), residuals inside attention and feed-forward, a GELU with its own backward."""

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
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache


class BloomConfig(PreTrainedConfig):
    model_type = "bloom"
    attribute_map = {"num_hidden_layers": "n_layer", "num_attention_heads": "n_head", "n_embed": "hidden_size"}
    vocab_size = 250880
    hidden_size = 64
    n_layer = 2
    n_head = 8
    layer_norm_epsilon = 1e-5
    initializer_range = 0.02
    use_cache = True
    bos_token_id = 1
    eos_token_id = 2
    apply_residual_connection_post_layernorm = False
    hidden_dropout = 0.0
    attention_dropout = 0.0
    pretraining_tp = 1
    slow_but_exact = False


def slopes_of(heads: int, device: torch.device | str | int) -> tuple[Tensor, ...]:
    """How fast scores fall with distance, for each head, and what was needed to say so."""
    power = 2 ** math.floor(math.log2(heads))
    base = torch.tensor(2 ** (-(2 ** -(math.log2(power) - 3))), device=device, dtype=torch.float32)
    powers = torch.arange(1, 1 + power, device=device, dtype=torch.int32)
    slopes = torch.pow(base, powers)
    if power == heads:
        return slopes, base, powers
    more = torch.tensor(2 ** (-(2 ** -(math.log2(2 * power) - 3))), device=device, dtype=torch.float32)
    left = min(power, heads - power)
    odd_powers = torch.arange(1, 1 + 2 * left, 2, device=device, dtype=torch.int32)
    slopes = torch.cat([slopes, torch.pow(more, odd_powers)], dim=0)
    return slopes, base, powers, more, odd_powers


def alibi_of(mask: Tensor, heads: int, dtype: torch.dtype) -> Tensor:
    """What to add to scores for the places of keys, from a mask [batch, length]: [batch * heads, 1, length]."""
    batch, length = mask.shape
    slopes, *_kept = slopes_of(heads, mask.device)
    positions = ((mask.cumsum(dim=-1) - 1) * mask)[:, None, :]
    alibi = slopes[..., None] * positions
    return alibi.reshape(batch * heads, 1, length).to(dtype)


def dropout_add(x: Tensor, residual: Tensor, prob: float, training: bool) -> Tensor:
    result = F.dropout(x, p=prob, training=training)
    result = residual + result
    return result


class GeLUFunction(torch.autograd.Function):
    """Keeps its input only; the tangent is computed again in backward."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x * 0.5 * (1.0 + torch.tanh(0.79788456 * x * (1 + 0.044715 * x * x)))

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        tangent = torch.tanh(0.79788456 * x * (1 + 0.044715 * x * x))
        slope = 0.5 * x * ((1 - tangent * tangent) * (0.79788456 + 0.1070322243 * x * x)) + 0.5 * (1 + tangent)
        return slope * grad


class BloomGelu(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return GeLUFunction.apply(x)


def sliced_linear(x: Tensor, linear: Any, parts: Any, like: Any) -> Any:
    """The product in `parts` pieces, as the weights were trained in parallel."""
    result = torch.zeros_like(like)
    size = linear.weight.shape[-1] / parts
    for i in range(parts):
        first, last = int(i * size), int((i + 1) * size)
        result = result + F.linear(x[:, :, first:last], linear.weight[:, first:last])
    return result


class BloomAttention(nn.Module):
    def __init__(self, config: BloomConfig, layer_idx: int | None) -> None:
        super().__init__()
        size = config.hidden_size
        self.num_heads = config.n_head
        self.head_dim = size // config.n_head
        self.parts = config.pretraining_tp if config.slow_but_exact else 1
        self.hidden_dropout = config.hidden_dropout
        self.scaling = 1.0 / math.sqrt(self.head_dim)
        self.layer_idx = layer_idx
        self.query_key_value = nn.Linear(size, 3 * size)
        self.dense = nn.Linear(size, size)
        self.attention_dropout = nn.Dropout(config.attention_dropout)

    def forward(
        self,
        hidden_states: Tensor,
        residual: Tensor,
        alibi: Tensor,
        attention_mask: Tensor,
        layer_past: Cache | None = None,
        **_: Any,
    ) -> tuple[Tensor, Tensor]:
        batch, length, _size = hidden_states.shape
        fused = self.query_key_value(hidden_states)
        parts = fused.view(batch, length, self.num_heads, 3, self.head_dim)
        query = parts[..., 0, :].transpose(1, 2)
        key = parts[..., 1, :].transpose(1, 2)
        value = parts[..., 2, :].transpose(1, 2)
        if layer_past is not None:
            key, value = layer_past.update(key, value, self.layer_idx)
        query = query.reshape(batch * self.num_heads, -1, self.head_dim)
        key = key.reshape(batch * self.num_heads, -1, self.head_dim).transpose(-1, -2)
        value = value.reshape(batch * self.num_heads, -1, self.head_dim)
        scores = alibi.baddbmm(batch1=query, batch2=key, beta=1.0, alpha=self.scaling)
        weights = scores.view(batch, self.num_heads, length, -1)
        if attention_mask is not None:
            weights = weights + attention_mask
        shares = F.softmax(weights, dim=-1, dtype=torch.float32).to(query.dtype)
        shares = self.attention_dropout(shares)
        flat_shares = shares.view(batch * self.num_heads, length, -1)
        context = torch.bmm(flat_shares, value)
        context = (
            context.view(batch, self.num_heads, length, self.head_dim).permute(0, 2, 1, 3).reshape(batch, length, -1)
        )
        output = sliced_linear(context, self.dense, self.parts, context) if self.parts > 1 else self.dense(context)
        output = dropout_add(output, residual, self.hidden_dropout, self.training)
        return output, shares


class BloomMLP(nn.Module):
    def __init__(self, config: BloomConfig) -> None:
        super().__init__()
        size = config.hidden_size
        self.parts = config.pretraining_tp if config.slow_but_exact else 1
        self.dense_h_to_4h = nn.Linear(size, 4 * size)
        self.gelu_impl = BloomGelu()
        self.dense_4h_to_h = nn.Linear(4 * size, size)
        self.hidden_dropout = config.hidden_dropout

    def forward(self, x: Tensor, residual: Tensor) -> Tensor:
        x = self.gelu_impl(self.dense_h_to_4h(x))
        down = self.dense_4h_to_h
        between = sliced_linear(x, down, self.parts, residual) if self.parts > 1 else down(x)
        output = dropout_add(between, residual, self.hidden_dropout, self.training)
        return output


class BloomBlock(Block):
    def __init__(self, config: BloomConfig, layer_idx: int | None) -> None:
        super().__init__()
        size = config.hidden_size
        self.input_layernorm = nn.LayerNorm(size, eps=config.layer_norm_epsilon)
        self.self_attention = BloomAttention(config, layer_idx)
        self.post_attention_layernorm = nn.LayerNorm(size, eps=config.layer_norm_epsilon)
        self.mlp = BloomMLP(config)
        self.late = config.apply_residual_connection_post_layernorm

    def forward(
        self, hidden_states: Tensor, alibi: Tensor, attention_mask: Tensor, layer_past: Cache | None = None, **_: bool
    ) -> tuple[Tensor, Tensor]:
        normed = self.input_layernorm(hidden_states)
        residual = normed if self.late else hidden_states
        attended, weights = self.self_attention(
            normed, residual, layer_past=layer_past, attention_mask=attention_mask, alibi=alibi
        )
        normed = self.post_attention_layernorm(attended)
        residual = normed if self.late else attended
        output = self.mlp(normed, residual)
        return output, weights


class BloomModel(BlockModel):
    embedding_name = "word_embeddings"

    def build(self, config: PreTrainedConfig) -> None:
        size = config.hidden_size
        self.word_embeddings = nn.Embedding(config.vocab_size, size)
        self.word_embeddings_layernorm = nn.LayerNorm(size, eps=config.layer_norm_epsilon)
        self.h = nn.ModuleList(BloomBlock(config, index) for index in range(config.num_hidden_layers))
        self.ln_f = nn.LayerNorm(size, eps=config.layer_norm_epsilon)

    def prepare(
        self,
        embeds: Tensor,
        attention_mask: Tensor | None,
        past_key_values: Cache | None,
        position_ids: Tensor | None,
        token_type_ids: Tensor | None,
    ) -> tuple[Tensor, dict[str, Tensor], tuple[Tensor, Tensor]]:
        batch, length, _ = embeds.shape
        if past_key_values is not None:
            length = length + past_key_values.get_seq_length()
        hidden_states = self.word_embeddings_layernorm(embeds)
        if attention_mask is None:
            attention_mask = torch.ones((batch, length), device=hidden_states.device)
        else:
            attention_mask = attention_mask.to(hidden_states.device)
        alibi = alibi_of(attention_mask, self.config.n_head, hidden_states.dtype)
        mask = create_causal_mask(self.config, embeds, attention_mask, past_key_values)
        return hidden_states, {"alibi": alibi, "attention_mask": mask}, (embeds, attention_mask)


block_family("Bloom", BloomConfig, BloomModel, also=("AutoModelForPreTraining",), takes_positions=False)
