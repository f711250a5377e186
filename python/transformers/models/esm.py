"""esm: an encoder of proteins, with norms before the parts and turned queries and keys."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn

from ..parts.attention import HeadedModule
from ..cores.capturing import collects
from ..cores.encoder import EncoderConfig, EncoderModel, Pooler, eager_plain
from ..cores.encoder_heads import TokenClassification, family
from ..masking_utils import create_bidirectional_mask, create_causal_mask
from ..modeling_utils import Block, PreTrainedModel
from ..modeling_outputs import BaseModelOutputWithPoolingAndCrossAttentions
from ..parts.rope import RotaryEmbedding, rotate_half
from .roberta import RobertaMaskedLM, RobertaSequenceClassification, count_positions

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class EsmConfig(EncoderConfig):
    model_type = "esm"
    vocab_size = None
    mask_token_id = None
    pad_token_id = None
    eos_token_id = 2
    max_position_embeddings = 1026
    rope_theta = 10000.0
    position_embedding_type = "absolute"
    emb_layer_norm_before = None
    token_dropout = False
    is_folding_model = False


def gelu(x: Tensor) -> Tensor:
    return x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))


def rotate_from_float(query: Tensor, key: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    """Turns queries and keys in float32, cast where they are used, and casts the results back."""
    dtype = query.dtype
    cos = cos.unsqueeze(1)
    sin = sin.unsqueeze(1)
    turned_query = query.float() * cos + rotate_half(query.float()) * sin
    turned_key = key.float() * cos + rotate_half(key.float()) * sin
    return turned_query.to(dtype), turned_key.to(dtype)


class EsmRotaryEmbedding(RotaryEmbedding):
    """Its frequencies are part of the state."""

    rope_type = "default"
    attention_scaling = 1.0

    def __init__(self, config: EsmConfig) -> None:
        nn.Module.__init__(self)
        size = config.hidden_size // config.num_attention_heads
        steps = torch.arange(0, size, 2, dtype=torch.int64).to(dtype=torch.float) / size
        self.register_buffer("inv_freq", 1.0 / config.rope_theta**steps)


class EsmEmbeddings(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.padding_idx = config.pad_token_id
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size, padding_idx=self.padding_idx)
        self.layer_norm = None
        if config.emb_layer_norm_before:
            self.layer_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.register_buffer(
            "position_ids", torch.arange(config.max_position_embeddings).expand((1, -1)), persistent=False
        )
        self.absolute = config.position_embedding_type == "absolute"
        if self.absolute:
            self.position_embeddings = nn.Embedding(
                config.max_position_embeddings, config.hidden_size, padding_idx=self.padding_idx
            )
        self.token_dropout = config.token_dropout
        self.mask_token_id = config.mask_token_id

    def forward(
        self, input_ids: Tensor | None = None, attention_mask: Tensor | None = None, position_ids: Tensor | None = None
    ) -> Tensor:
        if position_ids is None:
            position_ids = count_positions(input_ids, self.padding_idx, None)
        inputs_embeds = self.word_embeddings(input_ids)
        states = inputs_embeds
        if self.token_dropout:
            states = states.masked_fill((input_ids == self.mask_token_id).unsqueeze(-1), 0.0)
            trained = 0.15 * 0.8
            lengths = attention_mask.sum(-1) if attention_mask is not None else input_ids.shape[1]
            observed = (input_ids == self.mask_token_id).sum(-1).float() / lengths
            states = (states * (1 - trained) / (1 - observed)[:, None, None]).to(states.dtype)
        if self.absolute:
            position_embeds = self.position_embeddings(position_ids)
            states = states + position_embeds
        if self.layer_norm is not None:
            states = self.layer_norm(states)
        if attention_mask is not None:
            states = (states * attention_mask.unsqueeze(-1)).to(states.dtype)
        return states


class EsmSelfAttention(HeadedModule):
    eager = staticmethod(eager_plain)

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.config = config
        self.attention_head_size = config.hidden_size // config.num_attention_heads
        size = config.num_attention_heads * self.attention_head_size
        self.query = nn.Linear(config.hidden_size, size)
        self.key = nn.Linear(config.hidden_size, size)
        self.value = nn.Linear(config.hidden_size, size)
        self.dropout = config.attention_probs_dropout_prob
        self.is_causal = config.is_decoder

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        position_embeddings: tuple[Tensor, Tensor] | None = None,
        **kwargs: Any,
    ) -> tuple[Tensor]:
        shape = hidden_states.shape[:-1]
        heads = (*shape, -1, self.attention_head_size)
        query = self.query(hidden_states).view(heads).transpose(1, 2)
        key = self.key(hidden_states).view(heads).transpose(1, 2)
        value = self.value(hidden_states).view(heads).transpose(1, 2)
        query = query * self.attention_head_size**-0.5
        if position_embeddings is not None:
            cos, sin = position_embeddings
            query, key = rotate_from_float(query, key, cos, sin)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.dropout if self.training else 0.0,
            scaling=1.0,
            **kwargs,
        )
        output = output.reshape(*shape, -1).contiguous()
        return output, weights


class EsmAdd(nn.Module):
    """Projects and adds what came in."""

    def __init__(self, config: PreTrainedConfig, size: int) -> None:
        super().__init__()
        self.dense = nn.Linear(size, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_states: Tensor, before: Tensor) -> Tensor:
        hidden_states = self.dense(hidden_states)
        hidden_states = self.dropout(hidden_states)
        hidden_states = hidden_states + before
        return hidden_states


class EsmAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.self = EsmSelfAttention(config)
        self.output = EsmAdd(config, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> Tensor:
        normed = self.LayerNorm(hidden_states)
        attended, _ = self.self(normed, **kwargs)
        attended = self.output(attended, hidden_states)
        return attended


class EsmIntermediate(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.intermediate_size)

    def forward(self, hidden_states: Tensor) -> Tensor:
        hidden_states = self.dense(hidden_states)
        hidden_states = gelu(hidden_states)
        return hidden_states


class EsmLayer(Block):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        if config.add_cross_attention:
            raise NotImplementedError("vramscope's esm has no cross-attention")
        self.attention = EsmAttention(config)
        self.intermediate = EsmIntermediate(config)
        self.output = EsmAdd(config, config.intermediate_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> Tensor:
        attended = self.attention(hidden_states, **kwargs)
        result = self.feed_forward_chunk(attended)
        return result

    def feed_forward_chunk(self, attended: Tensor) -> Tensor:
        normed = self.LayerNorm(attended)
        more = self.intermediate(normed)
        result = self.output(more, attended)
        return result


class EsmEncoder(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(EsmLayer(config) for _ in range(config.num_hidden_layers))
        self.emb_layer_norm_after = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.gradient_checkpointing = False

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> Tensor:
        for layer in self.layer:
            hidden_states = layer(hidden_states, **kwargs)
        hidden_states = self.emb_layer_norm_after(hidden_states)
        return hidden_states


class ContactHead(nn.Module):
    """Predicts contacts from attentions; only its parameters are modelled."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.regression = nn.Linear(config.num_hidden_layers * config.num_attention_heads, 1)


class EsmBase(EncoderModel):
    def __init__(self, config: PreTrainedConfig, add_pooling_layer: bool = True) -> None:
        PreTrainedModel.__init__(self, config)
        self.embeddings = EsmEmbeddings(config)
        self.rotary_embeddings = EsmRotaryEmbedding(config) if config.position_embedding_type == "rotary" else None
        self.encoder = EsmEncoder(config)
        self.pooler = Pooler(config) if add_pooling_layer else None
        self.contact_head = ContactHead(config)
        self.post_init()

    @collects
    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You must specify exactly one of input_ids or inputs_embeds")
        if inputs_embeds is None:
            inputs_embeds = self.embeddings(input_ids, attention_mask, position_ids)
        make = create_causal_mask if self.config.is_decoder else create_bidirectional_mask
        attention_mask = make(self.config, inputs_embeds, attention_mask, past_key_values=None)
        positions = None
        if self.rotary_embeddings is not None:
            if position_ids is None:
                position_ids = torch.arange(inputs_embeds.shape[1], device=inputs_embeds.device).unsqueeze(0)
            positions = self.rotary_embeddings(inputs_embeds, position_ids)
        states = self.encoder(inputs_embeds, attention_mask=attention_mask, position_embeddings=positions, **kwargs)
        pooled = self.pooler(states) if self.pooler is not None else None
        return BaseModelOutputWithPoolingAndCrossAttentions(last_hidden_state=states, pooler_output=pooled)


class EsmLMHead(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.layer_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.decoder = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, x: Tensor) -> Tensor:
        x = self.dense(x)
        x = gelu(x)
        x = self.layer_norm(x)
        x = self.decoder(x) + self.bias
        return x


class EsmMaskedLM(RobertaMaskedLM):
    head_class = EsmLMHead


class EsmSequenceClassification(RobertaSequenceClassification):
    model_first = True


family(
    *("Esm", "esm", EsmConfig, __name__),
    model=EsmBase,
    heads={
        "AutoModelForPreTraining": None,
        "AutoModelForMaskedLM": ("ForMaskedLM", EsmMaskedLM),
        "AutoModelForCausalLM": None,
        "AutoModelForNextSentencePrediction": None,
        "AutoModelForSequenceClassification": ("ForSequenceClassification", EsmSequenceClassification),
        "AutoModelForMultipleChoice": None,
        "AutoModelForTokenClassification": ("ForTokenClassification", TokenClassification),
        "AutoModelForQuestionAnswering": None,
    },
    tied={"lm_head.decoder.weight": "esm.embeddings.word_embeddings.weight"},
)
