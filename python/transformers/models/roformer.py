"""roformer: an encoder whose queries and keys are turned by sines and cosines from a table that is not trained."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cores.capturing import collects
from ..cores.encoder import AddNorm, EncoderConfig, Intermediate
from ..cores.encoder_heads import LMHead, LMPredictions, MaskedLM, TokenClassification, family
from ..masking_utils import create_bidirectional_mask
from ..modeling_utils import Block, PreTrainedModel
from ..activations import ACT2FN
from ..modeling_outputs import BaseModelOutputWithPastAndCrossAttentions
from ..cores.seq2seq_embeddings import FixedPositions
from .electra import ElectraMultipleChoice
from .roberta import RobertaSequenceClassification

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class RoFormerConfig(EncoderConfig):
    model_type = "roformer"
    vocab_size = 50000
    embedding_size = None
    max_position_embeddings = 1536
    rotary_value = False

    def complete(self) -> None:
        if self.embedding_size is None:
            self.embedding_size = self.hidden_size


class RoFormerEmbeddings(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size = config.embedding_size
        self.word_embeddings = nn.Embedding(config.vocab_size, size, padding_idx=config.pad_token_id)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, size)
        self.LayerNorm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(
        self, input_ids: Tensor | None = None, token_type_ids: Tensor | None = None, inputs_embeds: Tensor | None = None
    ) -> Any:
        if inputs_embeds is None:
            inputs_embeds = self.word_embeddings(input_ids)
        types = self.token_type_embeddings(token_type_ids)
        states = inputs_embeds + types
        states = self.LayerNorm(states)
        states = self.dropout(states)
        return states


def turn(table: Any, *parts: Any) -> Any:
    """Turns [batch, heads, length, size] by a table [1, 1, length, size] whose first half are sines."""
    sin, cos = table.chunk(2, dim=-1)
    sin = torch.stack([sin, sin], dim=-1).reshape_as(table)
    cos = torch.stack([cos, cos], dim=-1).reshape_as(table)
    halves = []  # each lives until all are turned
    turned = []
    for part in parts:
        half = torch.stack([-part[..., 1::2], part[..., ::2]], dim=-1).reshape_as(part)
        halves.append(half)
        turned.append(part * cos + half * sin)
    return turned


class RoFormerSelfAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.size = config.hidden_size // config.num_attention_heads
        whole = self.size * config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, whole)
        self.key = nn.Linear(config.hidden_size, whole)
        self.value = nn.Linear(config.hidden_size, whole)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)
        self.rotary_value = config.rotary_value

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, table: Any = None) -> tuple:
        shape = (*hidden_states.shape[:-1], -1, self.size)
        query = self.query(hidden_states).view(shape).transpose(1, 2)
        key = self.key(hidden_states).view(shape).transpose(1, 2)
        value = self.value(hidden_states).view(shape).transpose(1, 2)
        if self.rotary_value:
            query, key, value = turn(table, query, key, value)
        else:
            query, key = turn(table, query, key)
        scores = torch.matmul(query, key.transpose(-1, -2))
        scores = scores / math.sqrt(self.size)
        if attention_mask is not None:
            scores = scores + attention_mask
        weights = F.softmax(scores, dim=-1)
        weights = self.dropout(weights)
        output = torch.matmul(weights, value)
        output = output.permute(0, 2, 1, 3).contiguous()
        output = output.view(*output.size()[:-2], -1)
        return output, weights


class RoFormerAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.self = RoFormerSelfAttention(config)
        self.output = AddNorm(config, config.hidden_size)

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, table: Any = None) -> Any:
        both = self.self(hidden_states, attention_mask, table)
        attended = self.output(both[0], hidden_states)
        return (attended,) + both[1:]


class RoFormerLayer(Block):
    """Its weights are returned with the states, and live until the next layer has returned."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        if config.add_cross_attention:
            raise NotImplementedError("vramscope's roformer has no cross-attention")
        self.chunk_size = config.chunk_size_feed_forward
        self.attention = RoFormerAttention(config)
        self.intermediate = Intermediate(config)
        self.output = AddNorm(config, config.intermediate_size)

    def feed_forward_chunk(self, attended: Tensor) -> Tensor:
        more = self.intermediate(attended)
        result = self.output(more, attended)
        return result

    def feed_forward(self, attended: Tensor) -> Tensor:
        if not self.chunk_size:
            return self.feed_forward_chunk(attended)
        parts = attended.chunk(attended.shape[1] // self.chunk_size, dim=1)
        return torch.cat(tuple(self.feed_forward_chunk(part) for part in parts), dim=1)

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, table: Any = None) -> Any:
        both = self.attention(hidden_states, attention_mask, table)
        attended = both[0]
        result = self.feed_forward(attended)
        return (result,) + both[1:]


class RoFormerEncoder(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.embed_positions = FixedPositions(
            config.max_position_embeddings, config.hidden_size // config.num_attention_heads
        )
        self.layer = nn.ModuleList(RoFormerLayer(config) for _ in range(config.num_hidden_layers))
        self.gradient_checkpointing = False

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None) -> Any:
        table = self.embed_positions(hidden_states, 0, None, None)[None, None, :, :]
        both = None
        for layer in self.layer:
            both = layer(hidden_states, attention_mask, table)
            hidden_states = both[0]
        return hidden_states


class RoFormerBase(PreTrainedModel):
    supports_sdpa = False
    records = {"hidden_states": RoFormerLayer, "attentions": RoFormerSelfAttention}

    def __init__(self, config: PreTrainedConfig, add_pooling_layer: bool = False) -> None:
        super().__init__(config)
        if config.is_decoder:
            raise NotImplementedError("vramscope's roformer is an encoder only")
        self.embeddings = RoFormerEmbeddings(config)
        if config.embedding_size != config.hidden_size:
            self.embeddings_project = nn.Linear(config.embedding_size, config.hidden_size)
        self.encoder = RoFormerEncoder(config)
        self.post_init()

    @collects
    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
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
        states = self.embeddings(input_ids=input_ids, token_type_ids=token_type_ids, inputs_embeds=inputs_embeds)
        if hasattr(self, "embeddings_project"):
            states = self.embeddings_project(states)
        attention_mask = create_bidirectional_mask(self.config, states, attention_mask)
        last = self.encoder(states, attention_mask=attention_mask)
        return BaseModelOutputWithPastAndCrossAttentions(last_hidden_state=last)


class RoFormerPredictions(LMPredictions):
    """Words of their own size are predicted in that size."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.transform.dense = nn.Linear(config.hidden_size, config.embedding_size)
        self.transform.LayerNorm = nn.LayerNorm(config.embedding_size, eps=config.layer_norm_eps)
        self.decoder = nn.Linear(config.embedding_size, config.vocab_size, bias=True)


class RoFormerMLMHead(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.predictions = RoFormerPredictions(config)

    def forward(self, states: Tensor) -> Any:
        return self.predictions(states)


class RoFormerMaskedLM(MaskedLM):
    def build(self, config: PreTrainedConfig) -> None:
        self.cls = RoFormerMLMHead(config)


class RoFormerCausalLM(RoFormerMaskedLM, LMHead):
    forward = LMHead.forward


class RoFormerClassificationHead(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.out_proj = nn.Linear(config.hidden_size, config.num_labels)
        self.act = ACT2FN[config.hidden_act]

    def forward(self, states: Tensor) -> Any:
        x = states[:, 0, :]
        x = self.dropout(x)
        x = self.dense(x)
        x = self.act(x)
        x = self.dropout(x)
        x = self.out_proj(x)
        return x


class RoFormerSequenceClassification(RobertaSequenceClassification):
    model_first = True

    def build(self, config: PreTrainedConfig) -> None:
        self.classifier = RoFormerClassificationHead(config)


family(
    *("RoFormer", "roformer", RoFormerConfig, __name__),
    model=RoFormerBase,
    heads={
        "AutoModelForPreTraining": None,
        "AutoModelForMaskedLM": ("ForMaskedLM", RoFormerMaskedLM),
        "AutoModelForCausalLM": ("ForCausalLM", RoFormerCausalLM),
        "AutoModelForNextSentencePrediction": None,
        "AutoModelForSequenceClassification": ("ForSequenceClassification", RoFormerSequenceClassification),
        "AutoModelForMultipleChoice": ("ForMultipleChoice", ElectraMultipleChoice),
        "AutoModelForTokenClassification": ("ForTokenClassification", TokenClassification),
    },
    head_fields={"supports_sdpa": False},
)
