"""longformer: an encoder whose tokens attend within a window around them. Tokens that see everything are not modelled."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cores.capturing import collects
from ..cores.encoder import AddNorm, EncoderConfig, EncoderModel, Intermediate
from ..cores.encoder_heads import MultipleChoice, QuestionAnswering, TokenClassification, family
from ..masking_utils import create_bidirectional_mask
from ..modeling_utils import Block
from ..modeling_outputs import BaseModelOutputWithPooling
from .roberta import TIED, RobertaClassificationHead, RobertaMaskedLM, RobertaSequenceClassification

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class LongformerConfig(EncoderConfig):
    model_type = "longformer"
    attention_window = 512
    sep_token_id = 2
    pad_token_id = 1
    bos_token_id = 0
    eos_token_id = 2


def create_position_ids(input_ids: Tensor, padding: int | Sequence[int]) -> Any:
    """Positions that count tokens which are not padding, from `padding + 1` on."""
    real = input_ids.ne(padding).int()
    counted = torch.cumsum(real, dim=1).type_as(real) * real
    return counted.long() + padding


class LongformerEmbeddings(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size, padding = config.hidden_size, config.pad_token_id
        self.word_embeddings = nn.Embedding(config.vocab_size, size, padding_idx=padding)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, size)
        self.LayerNorm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.padding_idx = padding
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, size, padding_idx=padding)

    def positions(self, input_ids: Tensor, inputs_embeds: Tensor) -> Any:
        if input_ids is not None:
            return create_position_ids(input_ids, self.padding_idx).to(input_ids.device)
        first = self.padding_idx + 1
        count = inputs_embeds.shape[1]
        positions = torch.arange(first, first + count, dtype=torch.long, device=inputs_embeds.device)
        return positions.unsqueeze(0).expand(inputs_embeds.size()[:-1])

    def forward(
        self,
        input_ids: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
    ) -> Any:
        if position_ids is None:
            position_ids = self.positions(input_ids, inputs_embeds)
        shape = input_ids.size() if input_ids is not None else inputs_embeds.size()[:-1]
        if token_type_ids is None:
            token_type_ids = torch.zeros(shape, dtype=torch.long, device=position_ids.device)
        if inputs_embeds is None:
            inputs_embeds = self.word_embeddings(input_ids)
        position_embeds = self.position_embeddings(position_ids)
        types = self.token_type_embeddings(token_type_ids)
        embeddings = inputs_embeds + position_embeds + types
        embeddings = self.LayerNorm(embeddings)
        embeddings = self.dropout(embeddings)
        return embeddings


def chunks(states: Tensor, reach: int) -> Any:
    """[rows, length, size] as windows of twice `reach` tokens that overlap by half: a view."""
    states = states.view(states.size(0), states.size(1) // (reach * 2), reach * 2, states.size(2))
    size, stride = list(states.size()), list(states.stride())
    size[1] = size[1] * 2 - 1
    stride[1] = stride[1] // 2
    return states.as_strided(size=size, stride=stride)


def hide_outside(scores: Tensor, reach: int) -> None:
    """Minus infinity where a window reaches beyond the first or last token, in place."""
    begin = scores.new_ones(reach, reach + 1).tril().flip(dims=[0])
    begin = begin[None, :, None, :]
    end = begin.flip(dims=(1, 3))
    first = scores[:, :reach, :, : reach + 1]
    begin = begin.expand(first.size())
    scores[:, :reach, :, : reach + 1] = torch.full_like(first, -float("inf")).where(begin.bool(), first)
    last = scores[:, -reach:, :, -(reach + 1) :]
    end = end.expand(last.size())
    scores[:, -reach:, :, -(reach + 1) :] = torch.full_like(last, -float("inf")).where(end.bool(), last)


def _turned(scores, padding):
    scores = F.pad(scores, padding)
    scores = scores.view(*scores.size()[:-2], scores.size(-1), scores.size(-2))
    return scores


def windowed_scores(query: Tensor, key: Tensor, reach: int) -> Any:
    """Scores [batch, length, heads, 2 * reach + 1] of each token with those at most `reach` away."""
    batch, length, heads, size = query.size()
    query = query.transpose(1, 2).reshape(batch * heads, length, size)
    key = key.transpose(1, 2).reshape(batch * heads, length, size)
    query = chunks(query, reach)
    key = chunks(key, reach)
    pairs = torch.einsum("bcxd,bcyd->bcxy", (query, key))
    pairs = _turned(pairs, (0, 0, 0, 1))
    scores = pairs.new_zeros((batch * heads, length // reach, reach, reach * 2 + 1))
    scores[:, :-1, :, reach:] = pairs[:, :, :reach, : reach + 1]
    scores[:, -1, :, reach:] = pairs[:, -1, reach:, : reach + 1]
    scores[:, 1:, :, :reach] = pairs[:, :, -(reach + 1) : -1, reach + 1 :]
    scores[:, 0, 1:reach, 1:reach] = pairs[:, 0, : reach - 1, 1 - reach :]
    scores = scores.view(batch, heads, length, 2 * reach + 1).transpose(2, 1)
    hide_outside(scores, reach)
    return scores


def _diagonal(weights):
    rows, count, reach, width = weights.size()
    weights = F.pad(weights, (0, reach + 1))
    weights = weights.view(rows, count, -1)
    weights = weights[:, :, :-reach]
    weights = weights.view(rows, count, reach, reach + width)
    weights = weights[:, :, :, :-1]
    return weights


def windowed_sum(weights: Tensor, value: Tensor, reach: int) -> Any:
    """[batch, length, heads, size]: what each token takes of those in its window."""
    batch, length, heads, size = value.size()
    parts = weights.transpose(1, 2).reshape(batch * heads, length // reach, reach, 2 * reach + 1)
    value = value.transpose(1, 2).reshape(batch * heads, length, size)
    padded = F.pad(value, (0, 0, reach, reach), value=-1)
    row, token, channel = padded.stride()
    windows = padded.as_strided(
        size=(batch * heads, length // reach, 3 * reach, size), stride=(row, reach * token, token, channel)
    )
    parts = _diagonal(parts)
    context = torch.einsum("bcwd,bcdh->bcwh", (parts, windows))
    return context.view(batch, heads, length, size).transpose(1, 2)


class LongformerSelfAttention(nn.Module):
    """A second set of projections serves the tokens that see everything."""

    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.num_heads = config.num_attention_heads
        self.head_dim = config.hidden_size // config.num_attention_heads
        for name in ("query", "key", "value", "query_global", "key_global", "value_global"):
            setattr(self, name, nn.Linear(config.hidden_size, config.hidden_size))
        self.dropout = config.attention_probs_dropout_prob
        self.reach = config.attention_window[layer_idx] // 2

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, masked: Any = None) -> tuple:
        hidden_states = hidden_states.transpose(0, 1)
        query = self.query(hidden_states)
        key = self.key(hidden_states)
        value = self.value(hidden_states)
        length, batch, width = hidden_states.size()
        query /= math.sqrt(self.head_dim)
        shape = (length, batch, self.num_heads, self.head_dim)
        query = query.view(shape).transpose(0, 1)
        key = key.view(shape).transpose(0, 1)
        scores = windowed_scores(query, key, self.reach)
        away = (attention_mask != 0)[:, :, None, None]
        numbers = away.type_as(query).masked_fill(away, torch.finfo(query.dtype).min)
        diagonal = windowed_scores(numbers.new_ones(size=numbers.size()), numbers, self.reach)
        scores += diagonal
        weights = F.softmax(scores, dim=-1, dtype=torch.float32)
        weights = torch.masked_fill(weights, masked[:, :, None, None], 0.0)
        weights = weights.type_as(scores)
        del scores
        weights = F.dropout(weights, p=self.dropout, training=self.training)
        value = value.view(shape).transpose(0, 1)
        output = windowed_sum(weights, value, self.reach)
        output = output.transpose(0, 1).reshape(length, batch, width).contiguous()
        return output.transpose(0, 1), weights


class LongformerAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.self = LongformerSelfAttention(config, layer_idx)
        self.output = AddNorm(config, config.hidden_size)

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, masked: Any = None) -> Any:
        attended = self.self(hidden_states, attention_mask, masked)[0]
        output = self.output(attended, hidden_states)
        return output


class LongformerLayer(Block):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.attention = LongformerAttention(config, layer_idx)
        self.intermediate = Intermediate(config)
        self.output = AddNorm(config, config.intermediate_size)

    def feed_forward(self, attended: Tensor) -> Tensor:
        more = self.intermediate(attended)
        result = self.output(more, attended)
        return result

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, masked: Any = None) -> tuple:
        attended = self.attention(hidden_states, attention_mask, masked)
        result = self.feed_forward(attended)
        return (result,)


class LongformerEncoder(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(LongformerLayer(config, index) for index in range(config.num_hidden_layers))
        self.gradient_checkpointing = False

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, padded: int = 0) -> Any:
        masked = attention_mask < 0
        _everywhere = attention_mask > 0
        _everywhere.flatten().any()
        for layer in self.layer:
            outputs = layer(hidden_states, attention_mask=attention_mask, masked=masked)
            hidden_states = outputs[0]
        hidden_states = hidden_states[:, : hidden_states.shape[1] - padded]
        return hidden_states


class LongformerBase(EncoderModel):
    records = {"hidden_states": LongformerLayer, "attentions": LongformerSelfAttention}

    def __init__(self, config: PreTrainedConfig, add_pooling_layer: bool = True) -> None:
        if isinstance(config.attention_window, int):
            config.attention_window = [config.attention_window] * config.num_hidden_layers
        super().__init__(config, add_pooling_layer)

    @collects
    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        global_attention_mask: Any = None,
        token_type_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        **_: Any,
    ) -> Any:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You have to specify either input_ids or inputs_embeds")
        if global_attention_mask is not None:
            raise NotImplementedError(
                "vramscope's longformer has no tokens that see everything (global_attention_mask)"
            )
        shape = input_ids.size() if input_ids is not None else inputs_embeds.size()[:-1]
        device = (input_ids if input_ids is not None else inputs_embeds).device
        if attention_mask is None:
            attention_mask = torch.ones(shape, device=device)
        if token_type_ids is None:
            token_type_ids = torch.zeros(shape, dtype=torch.long, device=device)
        padding = -shape[1] % max(self.config.attention_window)
        if padding:
            if inputs_embeds is not None:
                more = inputs_embeds.new_full((shape[0], padding), self.config.pad_token_id, dtype=torch.long)
                inputs_embeds = torch.cat([inputs_embeds, self.embeddings(more)], dim=-2)
            else:
                input_ids = F.pad(input_ids, (0, padding), value=self.config.pad_token_id)
            if position_ids is not None:
                position_ids = F.pad(position_ids, (0, padding), value=self.config.pad_token_id)
            attention_mask = F.pad(attention_mask, (0, padding), value=0)
            token_type_ids = F.pad(token_type_ids, (0, padding), value=0)
        embedded = self.embeddings(
            input_ids=input_ids, position_ids=position_ids, token_type_ids=token_type_ids, inputs_embeds=inputs_embeds
        )
        # a mask for every pair of tokens is made, of which one row is used
        mask = create_bidirectional_mask(
            self.config,
            embedded,
            torch.clamp(attention_mask, min=0, max=1),
            and_mask_function=lambda *_: torch.tensor(True, dtype=torch.bool),
        )
        mask = mask[:, 0, 0, :]
        mask[attention_mask == 2] = torch.finfo(embedded.dtype).max
        states = self.encoder(embedded, attention_mask=mask, padded=padding)
        pooled = self.pooler(states) if self.pooler is not None else None
        return BaseModelOutputWithPooling(last_hidden_state=states, pooler_output=pooled)


class Global:
    """Heads that let some tokens see everything: the first, or those of a question."""

    def forward(self, *_: Any, **__: Any) -> NoReturn:
        raise NotImplementedError(
            f"vramscope's {type(self).__name__} does not run: it needs tokens that see everything (global_attention_mask)"
        )


class LongformerMultipleChoice(Global, MultipleChoice):
    pass


class LongformerQuestionAnswering(Global, QuestionAnswering):
    pass


class LongformerSequenceClassification(Global, RobertaSequenceClassification):
    model_first = True

    def build(self, config: PreTrainedConfig) -> None:
        self.classifier = RobertaClassificationHead(config, nn.Dropout(config.hidden_dropout_prob))


family(
    *("Longformer", "longformer", LongformerConfig, __name__),
    model=LongformerBase,
    heads={
        "AutoModelForPreTraining": ("ForMaskedLM", RobertaMaskedLM),
        "AutoModelForMaskedLM": ("ForMaskedLM", RobertaMaskedLM),
        "AutoModelForCausalLM": None,
        "AutoModelForNextSentencePrediction": None,
        "AutoModelForSequenceClassification": ("ForSequenceClassification", LongformerSequenceClassification),
        "AutoModelForMultipleChoice": ("ForMultipleChoice", LongformerMultipleChoice),
        "AutoModelForQuestionAnswering": ("ForQuestionAnswering", LongformerQuestionAnswering),
        "AutoModelForTokenClassification": ("ForTokenClassification", TokenClassification),
    },
    tied={name: place.replace("roberta.", "longformer.") for name, place in TIED.items()},
    head_fields={"supports_sdpa": False},
    supports_sdpa=False,
    embeddings_class=LongformerEmbeddings,
    encoder_class=LongformerEncoder,
)
