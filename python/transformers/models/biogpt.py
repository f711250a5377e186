"""biogpt: learned positions from the third row on, scaled embeddings, dropout after every part."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..parts.attention import HeadedModule
from ..cores.blocks import BlockModel, BlockTokenClassifier, block_family
from ..configuration_utils import PreTrainedConfig
from ..cores.decoder_heads import SequenceClassifier
from ..masking_utils import create_causal_mask
from ..modeling_utils import BLOCK_RECORDS, Block
from ..modeling_outputs import TokenClassifierOutput

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache


class BioGptConfig(PreTrainedConfig):
    model_type = "biogpt"
    vocab_size = 42384
    hidden_size = 1024
    num_hidden_layers = 24
    num_attention_heads = 16
    intermediate_size = 4096
    hidden_act = "gelu"
    hidden_dropout_prob = 0.1
    attention_probs_dropout_prob = 0.1
    max_position_embeddings = 1024
    initializer_range = 0.02
    layer_norm_eps = 1e-12
    scale_embedding = True
    use_cache = True
    layerdrop = 0.0
    activation_dropout = 0.0
    pad_token_id = 1
    bos_token_id = 0
    eos_token_id = 2


def eager_in_own_dtype(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    **_: Any,
) -> tuple:
    """Scores and their softmax stay in the dtype of the queries."""
    weights = torch.matmul(query, key.transpose(2, 3)) * scaling
    if mask is not None:
        weights = weights + mask
    weights = F.softmax(weights, dim=-1)
    weights = F.dropout(weights, p=dropout, training=module.training)
    output = torch.matmul(weights, value)
    output = output.transpose(1, 2).contiguous()
    return output, weights


class BioGptLearnedPositionalEmbedding(nn.Embedding):
    offset = 2

    def __init__(self, count: int, size: int) -> None:
        super().__init__(count + self.offset, size)

    def forward(self, position_ids: Tensor | None) -> Tensor:
        return super().forward(position_ids + self.offset)


class BioGptScaledWordEmbedding(nn.Embedding):
    def __init__(self, count: int, size: int, padding_idx: int, scale: float) -> None:
        super().__init__(count, size, padding_idx)
        self.scale = scale

    def forward(self, input_ids: Tensor) -> Tensor:
        return super().forward(input_ids) * self.scale


class BioGptAttention(HeadedModule):
    eager = staticmethod(eager_in_own_dtype)

    def __init__(self, config: BioGptConfig | None, layer_idx: int | None) -> None:
        super().__init__()
        size = config.hidden_size
        self.config = config
        self.layer_idx = layer_idx
        self.head_dim = size // config.num_attention_heads
        self.scaling = self.head_dim**-0.5
        self.dropout = config.attention_probs_dropout_prob
        self.is_causal = True
        self.k_proj = nn.Linear(size, size)
        self.v_proj = nn.Linear(size, size)
        self.q_proj = nn.Linear(size, size)
        self.out_proj = nn.Linear(size, size)

    def forward(
        self,
        hidden_states: Tensor,
        past_key_values: Cache | None = None,
        attention_mask: Tensor | None = None,
        **kwargs: Any,
    ) -> tuple[Tensor, Tensor | None]:
        shape = (*hidden_states.shape[:-1], -1, self.head_dim)
        query = self.q_proj(hidden_states).view(shape).transpose(1, 2)
        key = self.k_proj(hidden_states)
        value = self.v_proj(hidden_states)
        key = key.view(shape).transpose(1, 2)
        value = value.view(shape).transpose(1, 2)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.dropout if self.training else 0.0,
            scaling=self.scaling,
            **kwargs,
        )
        output = output.reshape(*shape[:-2], -1).contiguous()
        output = self.out_proj(output)
        return output, weights


class BioGptDecoderLayer(Block):
    def __init__(self, config: BioGptConfig, layer_idx: int | None) -> None:
        super().__init__()
        size = config.hidden_size
        self.self_attn = BioGptAttention(config, layer_idx)
        self.dropout = config.hidden_dropout_prob
        self.activation_fn = ACT2FN[config.hidden_act]
        self.activation_dropout = config.activation_dropout
        self.self_attn_layer_norm = nn.LayerNorm(size)
        self.fc1 = nn.Linear(size, config.intermediate_size)
        self.fc2 = nn.Linear(config.intermediate_size, size)
        self.final_layer_norm = nn.LayerNorm(size)

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        past_key_values: Cache | None = None,
        use_cache: bool | None = True,
        **kwargs: Any,
    ) -> Tensor:
        residual = hidden_states
        hidden_states = self.self_attn_layer_norm(hidden_states)
        hidden_states, _ = self.self_attn(
            hidden_states=hidden_states, past_key_values=past_key_values, attention_mask=attention_mask, **kwargs
        )
        hidden_states = F.dropout(hidden_states, p=self.dropout, training=self.training)
        hidden_states = residual + hidden_states
        residual = hidden_states
        hidden_states = self.final_layer_norm(hidden_states)
        hidden_states = self.fc1(hidden_states)
        hidden_states = self.activation_fn(hidden_states)
        hidden_states = F.dropout(hidden_states, p=self.activation_dropout, training=self.training)
        hidden_states = self.fc2(hidden_states)
        hidden_states = F.dropout(hidden_states, p=self.dropout, training=self.training)
        hidden_states = residual + hidden_states
        return hidden_states


class BioGptModel(BlockModel):
    records = BLOCK_RECORDS
    base_model_prefix = "biogpt"
    supports_sdpa = True
    embedding_name = "embed_tokens"
    blocks_name = "layers"
    norm_name = "layer_norm"
    past_name = "past_key_values"

    def build(self, config: PreTrainedConfig) -> None:
        size = config.hidden_size
        scale = math.sqrt(size) if config.scale_embedding else 1.0
        self.embed_tokens = BioGptScaledWordEmbedding(config.vocab_size, size, config.pad_token_id, scale)
        self.embed_positions = BioGptLearnedPositionalEmbedding(config.max_position_embeddings, size)
        self.layers = nn.ModuleList(BioGptDecoderLayer(config, index) for index in range(config.num_hidden_layers))
        self.layer_norm = nn.LayerNorm(size)

    def prepare(
        self,
        embeds: Tensor,
        attention_mask: Tensor | None,
        past_key_values: Cache,
        position_ids: Tensor | None,
        token_type_ids: Tensor | None,
    ) -> tuple[Tensor, dict[str, Tensor | None], tuple[Tensor, Tensor, Tensor]]:
        batch, length, _ = embeds.shape
        seen = past_key_values.get_seq_length() if past_key_values is not None else 0
        if attention_mask is None:
            attention_mask = torch.ones(batch, seen + length, device=embeds.device)
        mask = create_causal_mask(self.config, embeds, attention_mask, past_key_values)
        if position_ids is None:
            position_ids = torch.arange(length, device=embeds.device) + seen
            position_ids = position_ids.unsqueeze(0)
        positions = self.embed_positions(position_ids)
        hidden_states = embeds + positions
        hidden_states = F.dropout(hidden_states, p=self.config.hidden_dropout_prob, training=self.training)
        return (
            hidden_states,
            {"attention_mask": mask, "position_ids": position_ids},
            (embeds, attention_mask, positions),
        )


class BioGptSequenceClassifier(SequenceClassifier):
    """The last token is found by counting those that are not padding."""

    def last_token(self, input_ids: Tensor, logits: Tensor) -> tuple:
        return ((torch.ne(input_ids, self.config.pad_token_id).sum(-1) - 1).to(logits.device),)


class BioGptTokenClassifier(BlockTokenClassifier):
    """Labels of masked places are ignored."""

    def dropout_of(self, config: PreTrainedConfig) -> Any:
        rate = getattr(config, "classifier_dropout", None)
        return config.hidden_dropout_prob if rate is None else rate

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.biogpt(input_ids, attention_mask=attention_mask, **kwargs)
        states = outputs.last_hidden_state
        states = self.dropout(states)
        logits = self.classifier(states)
        loss = None
        if labels is not None and attention_mask is None:
            loss = self.loss_function(logits, labels, self.config)
        elif labels is not None:
            active = attention_mask.view(-1) == 1
            active_labels = torch.where(active, labels.view(-1), torch.tensor(-100).type_as(labels))
            loss = F.cross_entropy(logits.view(-1, self.num_labels), active_labels)
        return TokenClassifierOutput(
            loss=loss, logits=logits, hidden_states=outputs.hidden_states, attentions=outputs.attentions
        )


block_family(
    "BioGpt",
    BioGptConfig,
    BioGptModel,
    heads={"ForSequenceClassification": BioGptSequenceClassifier, "ForTokenClassification": BioGptTokenClassifier},
    head_name="output_projection",
    tied={"output_projection.weight": "biogpt.embed_tokens.weight"},
)
