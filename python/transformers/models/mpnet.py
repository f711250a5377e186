"""mpnet: bert with a learned bias on scores that depends on distance, the same for all layers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cores.encoder import AddNorm, EncoderConfig, Intermediate
from ..cores.encoder_heads import MultipleChoice, TokenClassification, family
from .roberta import TIED, RobertaMaskedLM, RobertaSequenceClassification, count_positions

if TYPE_CHECKING:
    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class MPNetConfig(EncoderConfig):
    model_type = "mpnet"
    vocab_size = 30527
    relative_attention_num_buckets = 32
    pad_token_id = 1
    bos_token_id = 0
    eos_token_id = 2


class MPNetEmbeddings(nn.Module):
    """Words and positions. The first two positions are for padding, whatever the config says of it."""

    padding_idx = 1

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size, padding_idx=self.padding_idx)
        self.position_embeddings = nn.Embedding(
            config.max_position_embeddings, config.hidden_size, padding_idx=self.padding_idx
        )
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.register_buffer(
            "position_ids", torch.arange(config.max_position_embeddings).expand((1, -1)), persistent=False
        )

    def forward(
        self,
        input_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        **_: int | None,
    ) -> Tensor:
        if position_ids is None:
            if input_ids is not None:
                position_ids = count_positions(input_ids, self.padding_idx, None)
            else:
                batch, length = inputs_embeds.size()[:-1]
                positions = torch.arange(2, length + 2, dtype=torch.long, device=inputs_embeds.device)
                position_ids = positions.unsqueeze(0).expand(batch, length)
        if inputs_embeds is None:
            inputs_embeds = self.word_embeddings(input_ids)
        position_embeds = self.position_embeddings(position_ids)
        states = inputs_embeds + position_embeds
        states = self.LayerNorm(states)
        states = self.dropout(states)
        return states


class MPNetSelfAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.size = config.hidden_size // config.num_attention_heads
        whole = self.size * config.num_attention_heads
        self.q = nn.Linear(config.hidden_size, whole)
        self.k = nn.Linear(config.hidden_size, whole)
        self.v = nn.Linear(config.hidden_size, whole)
        self.o = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)

    def forward(
        self, hidden_states: Tensor, attention_mask: Tensor | None = None, position_bias: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        shape = (*hidden_states.shape[:-1], -1, self.size)
        query = self.q(hidden_states).view(shape).transpose(1, 2)
        key = self.k(hidden_states).view(shape).transpose(1, 2)
        value = self.v(hidden_states).view(shape).transpose(1, 2)
        scores = torch.matmul(query, key.transpose(-1, -2))
        scores = scores / math.sqrt(self.size)
        if position_bias is not None:
            scores += position_bias
        if attention_mask is not None:
            scores = scores + attention_mask
        weights = F.softmax(scores, dim=-1)
        weights = self.dropout(weights)
        output = torch.matmul(weights, value)
        output = output.permute(0, 2, 1, 3).contiguous()
        output = output.view(*output.size()[:-2], -1)
        projected = self.o(output)
        return projected, weights


class MPNetAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.attn = MPNetSelfAttention(config)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(
        self, hidden_states: Tensor, attention_mask: Tensor | None = None, position_bias: Tensor | None = None
    ) -> Tensor:
        attended = self.attn(hidden_states, attention_mask, position_bias)[0]
        result = self.LayerNorm(self.dropout(attended) + hidden_states)
        return result


class MPNetLayer(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.attention = MPNetAttention(config)
        self.intermediate = Intermediate(config)
        self.output = AddNorm(config, config.intermediate_size)

    def forward(
        self, hidden_states: Tensor, attention_mask: Tensor | None = None, position_bias: Tensor | None = None
    ) -> Tensor:
        attended = self.attention(hidden_states, attention_mask, position_bias)
        more = self.intermediate(attended)
        result = self.output(more, attended)
        return result


class MPNetEncoder(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(MPNetLayer(config) for _ in range(config.num_hidden_layers))
        self.relative_attention_bias = nn.Embedding(config.relative_attention_num_buckets, config.num_attention_heads)

    def buckets(self, length: int, count: int = 16, exact: int = 8, longest: int = 128) -> Tensor:
        """Which row of the bias a pair of places has; worked out on the CPU."""
        distance = torch.arange(length)[:, None] - torch.arange(length)[None, :]
        result = (distance < 0).to(torch.long) * count
        distance = torch.abs(distance)
        ratio = torch.log(distance.float() / exact) / math.log(longest / exact)
        large = exact + (ratio * (count - exact)).to(torch.long)
        large = torch.min(large, torch.full_like(large, count - 1))
        return result + torch.where(distance < exact, distance, large)

    def bias(self, states: Tensor) -> Tensor:
        batch, length = states.shape[:2]
        bucket = self.buckets(length)
        bucket = bucket.to(states.device)
        values = self.relative_attention_bias(bucket)
        values = values.permute([2, 0, 1]).unsqueeze(0)
        values = values.expand((batch, -1, length, length)).contiguous()
        return values

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **_: bool | None) -> Tensor:
        position_bias = self.bias(hidden_states)
        for layer in self.layer:
            hidden_states = layer(hidden_states, attention_mask, position_bias)
        return hidden_states


class MPNetSequenceClassification(RobertaSequenceClassification):
    model_first = True


family(
    *("MPNet", "mpnet", MPNetConfig, __name__),
    heads={
        "AutoModelForPreTraining": ("ForMaskedLM", RobertaMaskedLM),
        "AutoModelForMaskedLM": ("ForMaskedLM", RobertaMaskedLM),
        "AutoModelForCausalLM": None,
        "AutoModelForNextSentencePrediction": None,
        "AutoModelForSequenceClassification": ("ForSequenceClassification", MPNetSequenceClassification),
        "AutoModelForMultipleChoice": ("ForMultipleChoice", MultipleChoice),
        "AutoModelForTokenClassification": ("ForTokenClassification", TokenClassification),
    },
    tied={name: place.replace("roberta.", "mpnet.") for name, place in TIED.items()},
    head_fields={"supports_sdpa": False, "supports_gradient_checkpointing": False},
    supports_sdpa=False,
    supports_gradient_checkpointing=False,
    records={"hidden_states": MPNetLayer, "attentions": MPNetSelfAttention},
    embeddings_class=MPNetEmbeddings,
    encoder_class=MPNetEncoder,
)
