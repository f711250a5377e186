"""Encoders in the manner of DeBERTa: scores of contents and of distances are computed apart, and added."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..configuration_utils import PreTrainedConfig
from .encoder import Intermediate
from ..modeling_utils import Block, PreTrainedModel
from ..modeling_outputs import BaseModelOutput

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class DisentangledConfig(PreTrainedConfig):
    """Fields that both generations share."""

    hidden_act = "gelu"
    hidden_dropout_prob = 0.1
    attention_probs_dropout_prob = 0.1
    max_position_embeddings = 512
    type_vocab_size = 0
    initializer_range = 0.02
    layer_norm_eps = 1e-7
    relative_attention = False
    max_relative_positions = -1
    pad_token_id = 0
    position_biased_input = True
    pos_att_type = None
    pooler_dropout = 0.0
    pooler_hidden_act = "gelu"
    pooler_hidden_size = None
    legacy = True
    position_buckets = -1
    share_att_key = False
    norm_rel_ebd = "none"
    conv_kernel_size = 0
    conv_groups = 1
    conv_act = "tanh"
    cls_dropout = None
    talking_head = False

    def complete(self) -> None:
        if isinstance(self.pos_att_type, str):
            self.pos_att_type = [kind.strip() for kind in self.pos_att_type.lower().split("|")]
        if self.pooler_hidden_size is None:
            self.pooler_hidden_size = self.hidden_size

    def farthest(self) -> Any:
        """How many distances to each side are told apart."""
        return self.max_position_embeddings if self.max_relative_positions < 1 else self.max_relative_positions


def root_of(size: int, factor: int | float) -> Any:
    """What scores are divided by: a number on the CPU."""
    return torch.sqrt(torch.tensor(size, dtype=torch.float) * factor)


class DisentangledEmbeddings(nn.Module):
    norm_class = nn.LayerNorm

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size = getattr(config, "embedding_size", config.hidden_size)
        self.word_embeddings = nn.Embedding(config.vocab_size, size, padding_idx=config.pad_token_id)
        self.position_embeddings = self.token_type_embeddings = self.embed_proj = None
        if config.position_biased_input:
            self.position_embeddings = nn.Embedding(config.max_position_embeddings, size)
        if config.type_vocab_size > 0:
            self.token_type_embeddings = nn.Embedding(config.type_vocab_size, size)
        if size != config.hidden_size:
            self.embed_proj = nn.Linear(size, config.hidden_size, bias=False)
        self.LayerNorm = self.norm_class(config.hidden_size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.register_buffer(
            "position_ids", torch.arange(config.max_position_embeddings).expand((1, -1)), persistent=False
        )

    def forward(
        self,
        input_ids: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
    ) -> Any:
        length = (input_ids if input_ids is not None else inputs_embeds).size()[1]
        if position_ids is None:
            position_ids = self.position_ids[:, :length]
        if inputs_embeds is None:
            inputs_embeds = self.word_embeddings(input_ids)
        if self.position_embeddings is not None:
            position_embeds = self.position_embeddings(position_ids.long())
        else:
            position_embeds = torch.zeros_like(inputs_embeds)
        states = inputs_embeds
        if self.position_embeddings is not None:
            states = states + position_embeds
        if self.token_type_embeddings is not None:
            types = self.token_type_embeddings(token_type_ids)
            states = states + types
        if self.embed_proj is not None:
            states = self.embed_proj(states)
        states = self.LayerNorm(states)
        if mask is not None:
            if mask.dim() != states.dim():
                mask = mask.squeeze(1).squeeze(1) if mask.dim() == 4 else mask
                mask = mask.unsqueeze(2)
            mask = mask.to(states.dtype)
            states = states * mask
        states = self.dropout(states)
        return states


class DisentangledAddNorm(nn.Module):
    norm_class = nn.LayerNorm

    def __init__(self, config: PreTrainedConfig, size: int) -> None:
        super().__init__()
        self.dense = nn.Linear(size, config.hidden_size)
        self.LayerNorm = self.norm_class(config.hidden_size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_states: Tensor, before: Any) -> Any:
        hidden_states = self.dense(hidden_states)
        hidden_states = self.dropout(hidden_states)
        hidden_states = self.LayerNorm(hidden_states + before)
        return hidden_states


class DisentangledAttention(nn.Module):
    self_class = None
    add_class = DisentangledAddNorm

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.self = self.self_class(config)
        self.output = self.add_class(config, config.hidden_size)

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None,
        relative_pos: Tensor | None = None,
        rel_embeddings: Tensor | None = None,
    ) -> Any:
        attended, weights = self.self(hidden_states, attention_mask, relative_pos, rel_embeddings)
        result = self.output(attended, hidden_states)
        return result, weights


class DisentangledLayer(Block):
    attention_class = DisentangledAttention
    add_class = DisentangledAddNorm

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.attention = self.attention_class(config)
        self.intermediate = Intermediate(config)
        self.output = self.add_class(config, config.intermediate_size)

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None,
        relative_pos: Tensor | None = None,
        rel_embeddings: Tensor | None = None,
        output_attentions: bool = False,
    ) -> Any:
        attended, weights = self.attention(hidden_states, attention_mask, relative_pos, rel_embeddings)
        if not output_attentions:
            weights = None
        more = self.intermediate(attended)
        result = self.output(more, attended)
        return result, weights


class DisentangledEncoder(nn.Module):
    """All layers' states are collected, whoever asks for them: the model takes the last from there."""

    layer_class = DisentangledLayer

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(self.layer_class(config) for _ in range(config.num_hidden_layers))
        self.relative_attention = config.relative_attention
        if self.relative_attention:
            self.rel_embeddings = nn.Embedding(self.distances(config) * 2, config.hidden_size)
        self.conv = None
        self.build(config)
        self.gradient_checkpointing = False

    def distances(self, config: PreTrainedConfig) -> Any:
        return config.farthest()

    def build(self, config: PreTrainedConfig) -> None:
        """Makes what one generation has more."""

    def relative_table(self) -> Any:
        return self.rel_embeddings.weight if self.relative_attention else None

    def relative_positions(self, states: Tensor) -> None:
        """[1, queries, keys]"""
        raise NotImplementedError

    def square(self, mask: Tensor | None) -> Any:
        """Which token sees which, from which tokens there are."""
        if mask.dim() <= 2:
            wide = mask.unsqueeze(1).unsqueeze(2)
            mask = wide * wide.squeeze(-2).unsqueeze(-1)
        elif mask.dim() == 3:
            mask = mask.unsqueeze(1)
        return mask

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None, output_attentions: bool = False) -> Any:
        tokens = attention_mask if attention_mask.dim() <= 2 else attention_mask.sum(-2) > 0
        attention_mask = self.square(attention_mask)
        relative_pos = self.relative_positions(hidden_states) if self.relative_attention else None
        states = (hidden_states,)
        attentions = () if output_attentions else None
        last = hidden_states
        table = self.relative_table()
        for index, layer in enumerate(self.layer):
            result, weights = layer(
                last,
                attention_mask,
                relative_pos=relative_pos,
                rel_embeddings=table,
                output_attentions=output_attentions,
            )
            if attentions is not None:
                attentions += (weights,)
            if index == 0 and self.conv is not None:
                result = self.conv(hidden_states, result, tokens)
            states += (result,)
            last = result
        return BaseModelOutput(last_hidden_state=last, hidden_states=states, attentions=attentions)


class DisentangledModel(PreTrainedModel):
    supports_sdpa = False
    embeddings_class = DisentangledEmbeddings
    encoder_class = DisentangledEncoder

    def __init__(self, config: PreTrainedConfig, add_pooling_layer: bool = False) -> None:
        super().__init__(config)
        self.embeddings = self.embeddings_class(config)
        self.encoder = self.encoder_class(config)
        self.post_init()

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        output_attentions: bool | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You have to specify either input_ids or inputs_embeds")
        shape = input_ids.size() if input_ids is not None else inputs_embeds.size()[:-1]
        device = (input_ids if input_ids is not None else inputs_embeds).device
        if attention_mask is None:
            attention_mask = torch.ones(shape, device=device)
        if token_type_ids is None:
            token_type_ids = torch.zeros(shape, dtype=torch.long, device=device)
        embedded = self.embeddings(
            input_ids=input_ids,
            token_type_ids=token_type_ids,
            position_ids=position_ids,
            mask=attention_mask,
            inputs_embeds=inputs_embeds,
        )
        wants_attentions = self.config.output_attentions if output_attentions is None else output_attentions
        outputs = self.encoder(embedded, attention_mask, output_attentions=wants_attentions)
        layers = outputs[1]
        last = layers[-1]
        wants_states = self.config.output_hidden_states if output_hidden_states is None else output_hidden_states
        return BaseModelOutput(
            last_hidden_state=last, hidden_states=layers if wants_states else None, attentions=outputs.attentions
        )
