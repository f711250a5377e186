"""Encoders in the manner of BERT: tokens that see each other, a norm after each part. One core; a family overrides what is special."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..parts.attention import HeadedModule
from ..cache_utils import DynamicCache
from .capturing import collects
from ..configuration_utils import PreTrainedConfig
from ..masking_utils import create_bidirectional_mask, create_causal_mask
from ..modeling_utils import BLOCK_RECORDS, Block, PreTrainedModel
from ..modeling_outputs import BaseModelOutputWithPoolingAndCrossAttentions

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache


class EncoderConfig(PreTrainedConfig):
    """Fields that encoders share, with BERT's defaults."""

    vocab_size = 30522
    hidden_size = 768
    num_hidden_layers = 12
    num_attention_heads = 12
    intermediate_size = 3072
    hidden_act = "gelu"
    hidden_dropout_prob = 0.1
    attention_probs_dropout_prob = 0.1
    max_position_embeddings = 512
    type_vocab_size = 2
    initializer_range = 0.02
    layer_norm_eps = 1e-12
    pad_token_id = 0
    use_cache = True
    classifier_dropout = None
    is_decoder = False
    add_cross_attention = False


def eager_plain(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    **_: Any,
) -> tuple[Tensor, Tensor]:
    """Scores and softmax in the dtype of the queries."""
    if scaling is None:
        scaling = query.size(-1) ** -0.5
    weights = torch.matmul(query, key.transpose(2, 3)) * scaling
    if mask is not None:
        weights = weights + mask
    weights = F.softmax(weights, dim=-1)
    weights = F.dropout(weights, p=dropout, training=module.training)
    output = torch.matmul(weights, value)
    output = output.transpose(1, 2).contiguous()
    return output, weights


class Embeddings(nn.Module):
    """Words, token types and positions, summed and normalised. `size_name` is the config's field for how many numbers each has."""

    size_name = "hidden_size"

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size = getattr(config, self.size_name)
        self.word_embeddings = nn.Embedding(config.vocab_size, size, padding_idx=config.pad_token_id)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, size)
        self.LayerNorm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.register_buffer(
            "position_ids", torch.arange(config.max_position_embeddings).expand((1, -1)), persistent=False
        )
        self.register_buffer(
            "token_type_ids", torch.zeros(self.position_ids.size(), dtype=torch.long), persistent=False
        )

    def positions(self, input_ids: Tensor, inputs_embeds: Tensor | None, seen: int) -> Tensor:
        length = (input_ids if input_ids is not None else inputs_embeds).shape[1]
        return self.position_ids[:, seen : length + seen]

    def forward(
        self,
        input_ids: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        past_key_values_length: int = 0,
    ) -> Tensor:
        batch, length = input_ids.size() if input_ids is not None else inputs_embeds.size()[:-1]
        if position_ids is None:
            position_ids = self.positions(input_ids, inputs_embeds, past_key_values_length)
        if token_type_ids is None:
            zeros = self.token_type_ids.expand(position_ids.shape[0], -1)
            zeros = torch.gather(zeros, dim=1, index=position_ids)
            token_type_ids = zeros.expand(batch, length)
        if inputs_embeds is None:
            inputs_embeds = self.word_embeddings(input_ids)
        types = self.token_type_embeddings(token_type_ids)
        sum_ = inputs_embeds + types
        position_embeds = self.position_embeddings(position_ids)
        sum_ = sum_ + position_embeds
        sum_ = self.LayerNorm(sum_)
        sum_ = self.dropout(sum_)
        return sum_


class SelfAttention(HeadedModule):
    eager = staticmethod(eager_plain)

    def __init__(self, config: PreTrainedConfig, is_causal: bool = False, layer_idx: int | None = None) -> None:
        super().__init__()
        self.config = config
        self.attention_head_size = config.hidden_size // config.num_attention_heads
        size = config.num_attention_heads * self.attention_head_size
        self.scaling = self.attention_head_size**-0.5
        self.query = nn.Linear(config.hidden_size, size)
        self.key = nn.Linear(config.hidden_size, size)
        self.value = nn.Linear(config.hidden_size, size)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)
        self.is_causal = is_causal
        self.layer_idx = layer_idx

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        past_key_values: Cache | None = None,
        **kwargs: bool,
    ) -> tuple[Tensor, None]:
        shape = hidden_states.shape[:-1]
        heads = (*shape, -1, self.attention_head_size)
        query = self.query(hidden_states).view(*heads).transpose(1, 2)
        key = self.key(hidden_states).view(*heads).transpose(1, 2)
        value = self.value(hidden_states).view(*heads).transpose(1, 2)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.dropout.p if self.training else 0.0,
            scaling=self.scaling,
            **kwargs,
        )
        output = output.reshape(*shape, -1).contiguous()
        for step in self.steps(hidden_states):
            output = step(output)
        return output, weights

    def steps(self, hidden_states: Tensor) -> tuple:
        """What a family does to the attended values: functions, so that no step's result outlives the next."""
        return ()


class AddNorm(nn.Module):
    """Projects, adds what came in, normalises."""

    def __init__(self, config: PreTrainedConfig, size: int) -> None:
        super().__init__()
        self.dense = nn.Linear(size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_states: Tensor, before: Tensor) -> Tensor:
        hidden_states = self.dense(hidden_states)
        hidden_states = self.dropout(hidden_states)
        hidden_states = self.LayerNorm(hidden_states + before)
        return hidden_states


class EncoderAttention(nn.Module):
    self_class = SelfAttention

    def __init__(self, config: PreTrainedConfig, is_causal: bool = False, layer_idx: int | None = None) -> None:
        super().__init__()
        self.self = self.self_class(config, is_causal, layer_idx)
        self.output = AddNorm(config, config.hidden_size)

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        past_key_values: Cache | None = None,
        **kwargs: bool,
    ) -> tuple[Tensor, None]:
        attended, weights = self.self(
            hidden_states, attention_mask=attention_mask, past_key_values=past_key_values, **kwargs
        )
        attended = self.output(attended, hidden_states)
        return attended, weights


class Intermediate(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.intermediate_size)
        self.intermediate_act_fn = ACT2FN[config.hidden_act]

    def forward(self, hidden_states: Tensor) -> Tensor:
        hidden_states = self.dense(hidden_states)
        hidden_states = self.intermediate_act_fn(hidden_states)
        return hidden_states


class EncoderLayer(Block):
    attention_class = EncoderAttention

    def __init__(self, config: PreTrainedConfig, layer_idx: int | None = None) -> None:
        super().__init__()
        if config.add_cross_attention:
            raise NotImplementedError(f"vramscope's {config.model_type} has no cross-attention")
        self.attention = self.attention_class(config, is_causal=config.is_decoder, layer_idx=layer_idx)
        self.intermediate = Intermediate(config)
        self.output = AddNorm(config, config.intermediate_size)

    def feed_forward_chunk(self, attended: Tensor) -> Tensor:
        more = self.intermediate(attended)
        result = self.output(more, attended)
        return result

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: bool | None) -> Tensor:
        attended, _ = self.attention(hidden_states, attention_mask, **kwargs)
        result = self.feed_forward_chunk(attended)
        return result


class Encoder(nn.Module):
    layer_class = EncoderLayer

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(self.layer_class(config, index) for index in range(config.num_hidden_layers))

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: bool | None) -> Tensor:
        for layer in self.layer:
            hidden_states = layer(hidden_states, attention_mask, **kwargs)
        return hidden_states


class Pooler(nn.Module):
    """The first token, projected."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.activation = nn.Tanh()

    def forward(self, hidden_states: Tensor) -> Any:
        first = hidden_states[:, 0]
        pooled = self.dense(first)
        pooled = self.activation(pooled)
        return pooled


class EncoderModel(PreTrainedModel):
    embeddings_class = Embeddings
    encoder_class = Encoder
    pooler_class = Pooler
    records = BLOCK_RECORDS

    def __init__(self, config: PreTrainedConfig, add_pooling_layer: bool = True) -> None:
        super().__init__(config)
        self.gradient_checkpointing = False
        self.embeddings = self.embeddings_class(config)
        self.build_projection(config)
        self.encoder = self.encoder_class(config)
        self.pooler = self.pooler_class(config) if add_pooling_layer else None
        self.post_init()

    def build_projection(self, config: PreTrainedConfig) -> None:
        """Makes what stands between words and layers, where a family has something there."""

    def project(self, embedded: Tensor) -> Tensor:
        return embedded

    def mask(self, embedded: Tensor, mask: Tensor | None, cache: Any) -> Any:
        if self.config.is_decoder:
            return create_causal_mask(self.config, embedded, mask, cache)
        return create_bidirectional_mask(self.config, embedded, mask)

    @collects
    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        past_key_values: Cache | None = None,
        use_cache: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You must specify exactly one of input_ids or inputs_embeds")
        use_cache = (self.config.use_cache if use_cache is None else use_cache) and self.config.is_decoder
        if use_cache and past_key_values is None:
            past_key_values = DynamicCache(config=self.config)
        seen = past_key_values.get_seq_length() if past_key_values is not None else 0
        embedded = self.embeddings(
            input_ids=input_ids,
            position_ids=position_ids,
            token_type_ids=token_type_ids,
            inputs_embeds=inputs_embeds,
            past_key_values_length=seen,
        )
        embedded = self.project(embedded)
        attention_mask = self.mask(embedded, attention_mask, past_key_values)
        states = self.encoder(
            embedded, attention_mask=attention_mask, past_key_values=past_key_values, use_cache=use_cache, **kwargs
        )
        pooled = self.pooler(states) if self.pooler is not None else None
        return BaseModelOutputWithPoolingAndCrossAttentions(
            last_hidden_state=states, pooler_output=pooled, past_key_values=past_key_values if use_cache else None
        )


# --- heads. `model_attribute` is the name under which a head holds its model, which is the family's prefix.
