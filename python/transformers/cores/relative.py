"""The parts of encoder-decoders in the manner of T5: no positions in the input, but a learned bias on scores that depends on distance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..cache_utils import EncoderDecoderCache
from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import Block

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class RelativeConfig(PreTrainedConfig):
    """Fields that families with T5's attention share."""

    attribute_map = {
        "hidden_size": "d_model",
        "num_attention_heads": "num_heads",
        "num_hidden_layers": "num_layers",
        "head_dim": "d_kv",
    }
    vocab_size = 32128
    d_model = 512
    d_kv = 64
    d_ff = 2048
    num_layers = 6
    num_decoder_layers = None
    num_heads = 8
    relative_attention_num_buckets = 32
    relative_attention_max_distance = 128
    dropout_rate = 0.1
    layer_norm_epsilon = 1e-6
    initializer_factor = 1.0
    feed_forward_proj = "relu"
    is_encoder_decoder = True
    use_cache = True
    pad_token_id = 0
    eos_token_id = 1
    classifier_dropout = 0.0
    is_decoder = False

    def complete(self) -> None:
        if self.num_decoder_layers is None:
            self.num_decoder_layers = self.num_layers
        kind = self.feed_forward_proj.split("-")
        self.dense_act_fn = "gelu_new" if self.feed_forward_proj == "gated-gelu" else kind[-1]
        self.is_gated_act = kind[0] == "gated"
        # whether output and input share a matrix is said nowhere: they always do
        self.scale_decoder_outputs = self.tie_word_embeddings is not False
        self.tie_word_embeddings = True


class ScaleNorm(nn.Module):
    """Divides by the root mean square; only the variance is taken in float32."""

    def __init__(self, size: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.variance_epsilon = eps

    def forward(self, x: Tensor) -> Tensor:
        variance = x.to(torch.float32).pow(2).mean(-1, keepdim=True)
        x = x * torch.rsqrt(variance + self.variance_epsilon)
        if self.weight.dtype in (torch.float16, torch.bfloat16):
            x = x.to(self.weight.dtype)
        return self.weight * x


class Dense(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.wi = nn.Linear(config.d_model, config.d_ff, bias=False)
        self.wo = nn.Linear(config.d_ff, config.d_model, bias=False)
        self.dropout = nn.Dropout(config.dropout_rate)
        self.act = ACT2FN[config.dense_act_fn]

    def forward(self, x: Tensor) -> Tensor:
        x = self.wi(x)
        x = self.act(x)
        x = self.dropout(x)
        if x.dtype != self.wo.weight.dtype and self.wo.weight.dtype != torch.int8:
            x = x.to(self.wo.weight.dtype)
        x = self.wo(x)
        return x


class GatedDense(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.wi_0 = nn.Linear(config.d_model, config.d_ff, bias=False)
        self.wi_1 = nn.Linear(config.d_model, config.d_ff, bias=False)
        self.wo = nn.Linear(config.d_ff, config.d_model, bias=False)
        self.dropout = nn.Dropout(config.dropout_rate)
        self.act = ACT2FN[config.dense_act_fn]

    def forward(self, x: Tensor) -> Any:
        gate = self.act(self.wi_0(x))
        linear = self.wi_1(x)
        x = gate * linear
        x = self.dropout(x)
        if x.dtype != self.wo.weight.dtype and self.wo.weight.dtype != torch.int8:
            x = x.to(self.wo.weight.dtype)
        x = self.wo(x)
        return x


class FeedForward(nn.Module):
    """The feed-forward part with its norm and what it is added to. `inner_name` is what a family calls the part."""

    inner_name = "DenseReluDense"

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        setattr(self, self.inner_name, self.make(config))
        self.layer_norm = ScaleNorm(config.d_model, eps=config.layer_norm_epsilon)
        self.dropout = nn.Dropout(config.dropout_rate)

    def make(self, config: PreTrainedConfig) -> torch.nn.Module:
        return GatedDense(config) if config.is_gated_act else Dense(config)

    def forward(self, hidden_states: Tensor) -> Tensor:
        fed = self.layer_norm(hidden_states)
        fed = getattr(self, self.inner_name)(fed)
        hidden_states = hidden_states + self.dropout(fed)
        return hidden_states


class RelativeAttention(nn.Module):
    """
    Attention whose scores get a bias.

    `shares_bias` says that the first layer's bias, mask included, is handed on to the others.
    """

    shares_bias = True

    def __init__(
        self, config: PreTrainedConfig, has_relative_attention_bias: bool = False, layer_idx: int | None = None
    ) -> None:
        super().__init__()
        self.is_decoder = config.is_decoder
        self.has_relative_attention_bias = has_relative_attention_bias
        self.buckets = config.relative_attention_num_buckets
        self.max_distance = config.relative_attention_max_distance
        self.key_value_proj_dim = config.d_kv
        self.dropout = config.dropout_rate
        self.layer_idx = layer_idx
        inner = config.num_heads * config.d_kv
        self.q = nn.Linear(config.d_model, inner, bias=False)
        self.k = nn.Linear(config.d_model, inner, bias=False)
        self.v = nn.Linear(config.d_model, inner, bias=False)
        self.o = nn.Linear(inner, config.d_model, bias=False)
        if has_relative_attention_bias:
            self.relative_attention_bias = nn.Embedding(self.buckets, config.num_heads)
        self.gradient_checkpointing = False

    def large(self, distance: Tensor, exact: int, count: int) -> Tensor:
        """The bucket of a distance too large for one of its own, before it is limited."""
        return exact + (torch.log(distance.float() / exact) / math.log(self.max_distance / exact) * (count - exact)).to(
            torch.long
        )

    def bucket(self, relative: Tensor) -> Tensor:
        result, count = 0, self.buckets
        if not self.is_decoder:
            count //= 2
            result += (relative > 0).to(torch.long) * count
            relative = torch.abs(relative)
        else:
            relative = -torch.min(relative, torch.zeros_like(relative))
        exact = count // 2
        is_small = relative < exact
        large = self.large(relative, exact, count)
        large = torch.min(large, torch.full_like(large, count - 1))
        result += torch.where(is_small, relative, large)
        return result

    def compute_bias(self, queries: int, keys: int, device: torch.device | str | int, seen: int) -> Tensor:
        """[1, heads, queries, keys]"""
        own = torch.arange(queries, dtype=torch.long, device=device)[:, None] + seen
        other = torch.arange(keys, dtype=torch.long, device=device)[None, :]
        relative = other - own
        bucket = self.bucket(relative)
        values = self.relative_attention_bias(bucket)
        values = values.permute([2, 0, 1]).unsqueeze(0)
        return values

    def forward(
        self,
        hidden_states: Tensor,
        mask: Tensor | None = None,
        key_value_states: Tensor | None = None,
        position_bias: Tensor | None = None,
        past_key_values: EncoderDecoderCache | None = None,
        **kwargs: Any,
    ) -> tuple[Tensor, Tensor, Tensor]:
        shape = hidden_states.shape[:-1]
        seen = past_key_values.get_seq_length(self.layer_idx) if past_key_values is not None else 0
        seen = seen.clone() if isinstance(seen, torch.Tensor) else seen
        crossing = key_value_states is not None
        query = self.q(hidden_states).view((*shape, -1, self.key_value_proj_dim)).transpose(1, 2)
        paired = isinstance(past_key_values, EncoderDecoderCache)
        known = paired and past_key_values.is_updated.get(self.layer_idx)
        memory = past_key_values
        if paired:
            memory = past_key_values.cross_attention_cache if crossing else past_key_values.self_attention_cache
        source = key_value_states if crossing else hidden_states
        if crossing and known:
            key = memory.layers[self.layer_idx].keys
            value = memory.layers[self.layer_idx].values
        else:
            key, value = self.project(source)
            if past_key_values is not None:
                key, value = memory.update(key, value, self.layer_idx)
                if crossing and paired:
                    past_key_values.is_updated[self.layer_idx] = True
        scores = torch.matmul(query, key.transpose(3, 2))
        if position_bias is None:
            keys = key.shape[-2]
            if self.has_relative_attention_bias:
                position_bias = self.compute_bias(shape[1], keys, scores.device, seen)
            else:
                position_bias = torch.zeros(
                    (1, query.shape[1], shape[1], keys), device=scores.device, dtype=scores.dtype
                )
                if self.shares_bias and self.gradient_checkpointing and self.training:
                    position_bias.requires_grad = True
            if mask is not None:
                allowed = mask[:, :, :, :keys] if self.shares_bias else mask
                position_bias = position_bias + allowed
        scores += position_bias
        weights = F.softmax(scores.float(), dim=-1).type_as(scores)
        weights = F.dropout(weights, p=self.dropout, training=self.training)
        output = torch.matmul(weights, value)
        output = output.transpose(1, 2).contiguous()
        output = output.reshape(*shape, -1)
        output = self.o(output)
        return (output, position_bias, weights) if self.shares_bias else (output, weights)

    def project(self, source: Tensor) -> tuple[Tensor, Tensor]:
        shape = (*source.shape[:-1], -1, self.key_value_proj_dim)
        key = self.k(source).view(shape).transpose(1, 2)
        value = self.v(source).view(shape).transpose(1, 2)
        return key, value


class SelfAttentionPart(nn.Module):
    """Normalises, attends, adds. Returns states, and what the attention returned beside them."""

    attention_class = RelativeAttention

    def __init__(
        self, config: PreTrainedConfig, has_relative_attention_bias: bool = False, layer_idx: int | None = None
    ) -> None:
        super().__init__()
        self.SelfAttention = self.attention_class(config, has_relative_attention_bias, layer_idx)
        self.layer_norm = ScaleNorm(config.d_model, eps=config.layer_norm_epsilon)
        self.dropout = nn.Dropout(config.dropout_rate)

    def forward(
        self, hidden_states: Tensor, output_attentions: bool = False, **kwargs: EncoderDecoderCache | Tensor | None
    ) -> tuple[Tensor, Tensor]:
        normed = self.layer_norm(hidden_states)
        attended = _without_weights(self.SelfAttention(normed, **kwargs), self.SelfAttention, output_attentions)
        hidden_states = hidden_states + self.dropout(attended[0])
        return (hidden_states,) + attended[1:]


class CrossAttentionPart(nn.Module):
    """As SelfAttentionPart, with keys and values from the encoder; what came in lives until it returns."""

    attention_class = RelativeAttention

    def __init__(self, config: PreTrainedConfig, layer_idx: int | None = None) -> None:
        super().__init__()
        self.EncDecAttention = self.attention_class(config, False, layer_idx)
        self.layer_norm = ScaleNorm(config.d_model, eps=config.layer_norm_epsilon)
        self.dropout = nn.Dropout(config.dropout_rate)

    def forward(
        self, hidden_states: Tensor, output_attentions: bool = False, **kwargs: EncoderDecoderCache | Tensor | None
    ) -> tuple[Tensor, Tensor]:
        normed = self.layer_norm(hidden_states)
        attended = _without_weights(self.EncDecAttention(normed, **kwargs), self.EncDecAttention, output_attentions)
        result = hidden_states + self.dropout(attended[0])
        return (result,) + attended[1:]


def _without_weights(attended, attention, wanted):
    """Where the bias is shared, weights are returned only to who asks."""
    return attended[:2] if attention.shares_bias and not wanted else attended


def bound_of(states: Tensor) -> Any:
    """The largest number that float16 states may have, a little less if there is an infinite one."""
    largest = torch.finfo(states.dtype).max
    return torch.where(torch.isinf(states).any(), largest - 1000, largest)


class RelativeBlock(Block):
    """Self-attention, cross-attention in a decoder, and a feed-forward part, in a list called `layer`."""

    self_class = SelfAttentionPart
    cross_class = CrossAttentionPart
    feed_class = FeedForward

    def __init__(
        self, config: PreTrainedConfig, has_relative_attention_bias: bool = False, layer_idx: int | None = None
    ) -> None:
        super().__init__()
        self.is_decoder = config.is_decoder
        self.layer = nn.ModuleList([self.self_class(config, has_relative_attention_bias, layer_idx)])
        if self.is_decoder:
            self.layer.append(self.cross_class(config, layer_idx))
        self.layer.append(self.feed_class(config))

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        position_bias: Tensor | None = None,
        encoder_hidden_states: Tensor | None = None,
        encoder_attention_mask: Tensor | None = None,
        encoder_decoder_position_bias: Tensor | None = None,
        past_key_values: EncoderDecoderCache | None = None,
        output_attentions: bool = False,
        **kwargs: bool,
    ) -> tuple[Tensor, ...]:
        attended = self.layer[0](
            hidden_states,
            mask=attention_mask,
            position_bias=position_bias,
            past_key_values=past_key_values,
            output_attentions=output_attentions,
        )
        hidden_states = attended[0]
        beside = attended[1:]
        if hidden_states.dtype == torch.float16:
            bound = bound_of(hidden_states)
            hidden_states = torch.clamp(hidden_states, min=-bound, max=bound)
        if self.is_decoder and encoder_hidden_states is not None:
            crossed = self.layer[1](
                hidden_states,
                key_value_states=encoder_hidden_states,
                mask=encoder_attention_mask,
                position_bias=encoder_decoder_position_bias,
                past_key_values=past_key_values,
                output_attentions=output_attentions,
            )
            hidden_states = crossed[0]
            if hidden_states.dtype == torch.float16:
                bound = bound_of(hidden_states)
                hidden_states = torch.clamp(hidden_states, min=-bound, max=bound)
            beside = beside + crossed[1:]
        hidden_states = self.layer[-1](hidden_states)
        if hidden_states.dtype == torch.float16:
            bound = bound_of(hidden_states)
            hidden_states = torch.clamp(hidden_states, min=-bound, max=bound)
        return (hidden_states,) + beside
