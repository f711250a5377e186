"""distilbert: an encoder without types of tokens and without a pooler, whose heads bring layers of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import get_activation
from ..parts.attention import HeadedModule
from ..cores.capturing import collects
from ..configuration_utils import PreTrainedConfig
from ..cores.encoder import eager_plain
from ..cores.encoder_heads import MultipleChoice, QuestionAnswering, SequenceClassification, TokenClassification, family
from ..parts.losses import sequence_classification_loss
from ..masking_utils import create_bidirectional_mask
from ..modeling_utils import Block, PreTrainedModel
from ..modeling_outputs import (
    BaseModelOutput,
    MaskedLMOutput,
    MultipleChoiceModelOutput,
    SequenceClassifierOutput,
    beside,
)

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


class DistilBertConfig(PreTrainedConfig):
    model_type = "distilbert"
    attribute_map = {"hidden_size": "dim", "num_attention_heads": "n_heads", "num_hidden_layers": "n_layers"}
    vocab_size = 30522
    max_position_embeddings = 512
    sinusoidal_pos_embds = False
    n_layers = 6
    n_heads = 12
    dim = 768
    hidden_dim = 4 * 768
    dropout = 0.1
    attention_dropout = 0.1
    activation = "gelu"
    initializer_range = 0.02
    qa_dropout = 0.1
    seq_classif_dropout = 0.2
    pad_token_id = 0


class DistilBertEmbeddings(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.dim, padding_idx=config.pad_token_id)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.dim)
        self.LayerNorm = nn.LayerNorm(config.dim, eps=1e-12)
        self.dropout = nn.Dropout(config.dropout)
        self.register_buffer(
            "position_ids", torch.arange(config.max_position_embeddings).expand((1, -1)), persistent=False
        )

    def forward(
        self, input_ids: Tensor, inputs_embeds: Tensor | None = None, position_ids: Tensor | None = None
    ) -> Tensor:
        if input_ids is not None:
            inputs_embeds = self.word_embeddings(input_ids)
        if position_ids is None:
            position_ids = self.position_ids[:, : inputs_embeds.size(1)]
        position_embeds = self.position_embeddings(position_ids)
        states = inputs_embeds + position_embeds
        states = self.LayerNorm(states)
        states = self.dropout(states)
        return states


class DistilBertSelfAttention(HeadedModule):
    eager = staticmethod(eager_plain)

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.config = config
        self.attention_head_size = config.dim // config.n_heads
        self.scaling = self.attention_head_size**-0.5
        self.q_lin = nn.Linear(config.dim, config.dim)
        self.k_lin = nn.Linear(config.dim, config.dim)
        self.v_lin = nn.Linear(config.dim, config.dim)
        self.out_lin = nn.Linear(config.dim, config.dim)
        self.dropout = nn.Dropout(p=config.attention_dropout)
        self.is_causal = False

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> tuple[Tensor]:
        shape = hidden_states.shape[:-1]
        heads = (*shape, -1, self.attention_head_size)
        query = self.q_lin(hidden_states).view(*heads).transpose(1, 2)
        key = self.k_lin(hidden_states).view(*heads).transpose(1, 2)
        value = self.v_lin(hidden_states).view(*heads).transpose(1, 2)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.dropout.p if self.training else 0.0,
            scaling=self.scaling,
            **kwargs,
        )
        output = output.reshape(*shape, -1).contiguous()
        output = self.out_lin(output)
        return output, weights


class FFN(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dropout = nn.Dropout(p=config.dropout)
        self.lin1 = nn.Linear(config.dim, config.hidden_dim)
        self.lin2 = nn.Linear(config.hidden_dim, config.dim)
        self.activation = get_activation(config.activation)

    def forward(self, states: Tensor) -> Tensor:
        x = self.lin1(states)
        x = self.activation(x)
        x = self.lin2(x)
        x = self.dropout(x)
        return x


class TransformerBlock(Block):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.attention = DistilBertSelfAttention(config)
        self.sa_layer_norm = nn.LayerNorm(config.dim, eps=1e-12)
        self.ffn = FFN(config)
        self.output_layer_norm = nn.LayerNorm(config.dim, eps=1e-12)

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> Tensor:
        attended, _ = self.attention(hidden_states, attention_mask=attention_mask, **kwargs)
        attended = self.sa_layer_norm(attended + hidden_states)
        fed = self.ffn(attended)
        fed = self.output_layer_norm(fed + attended)
        return fed


class Transformer(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(TransformerBlock(config) for _ in range(config.n_layers))
        self.gradient_checkpointing = False

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> ModelOutput:
        for layer in self.layer:
            hidden_states = layer(hidden_states, attention_mask, **kwargs)
        return BaseModelOutput(last_hidden_state=hidden_states)


class DistilBertBase(PreTrainedModel):
    records = {"hidden_states": TransformerBlock, "attentions": DistilBertSelfAttention}

    def __init__(self, config: PreTrainedConfig, add_pooling_layer: bool = False) -> None:
        super().__init__(config)
        self.embeddings = DistilBertEmbeddings(config)
        self.transformer = Transformer(config)
        self.post_init()

    @collects
    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        position_ids: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You must specify exactly one of input_ids or inputs_embeds")
        states = self.embeddings(input_ids, inputs_embeds, position_ids)
        attention_mask = create_bidirectional_mask(self.config, states, attention_mask)
        return self.transformer(hidden_states=states, attention_mask=attention_mask, **kwargs)


class DistilBertMaskedLM(PreTrainedModel):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.activation = get_activation(config.activation)
        self.distilbert = self.model_class(config)
        self.vocab_transform = nn.Linear(config.dim, config.dim)
        self.vocab_layer_norm = nn.LayerNorm(config.dim, eps=1e-12)
        self.vocab_projector = nn.Linear(config.dim, config.vocab_size)
        self.post_init()

    def get_output_embeddings(self) -> torch.nn.Module | None:
        return self.vocab_projector

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.distilbert(input_ids=input_ids, **kwargs)
        states = outputs[0]
        logits = self.vocab_transform(states)
        logits = self.activation(logits)
        logits = self.vocab_layer_norm(logits)
        logits = self.vocab_projector(logits)
        loss = None
        if labels is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), labels.view(-1))
        return MaskedLMOutput(loss=loss, logits=logits, **beside(outputs))


class DistilBertSequenceClassification(SequenceClassification):
    def build(self, config: PreTrainedConfig) -> None:
        self.pre_classifier = nn.Linear(config.dim, config.dim)
        self.classifier = nn.Linear(config.dim, config.num_labels)
        self.dropout = nn.Dropout(config.seq_classif_dropout)

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.base_model(input_ids=input_ids, **kwargs)
        states = outputs[0]
        pooled = states[:, 0]
        pooled = self.pre_classifier(pooled)
        pooled = F.relu(pooled)
        pooled = self.dropout(pooled)
        logits = self.classifier(pooled)
        loss = None
        if labels is not None:
            loss = sequence_classification_loss(labels, logits, self.config)
        return SequenceClassifierOutput(loss=loss, logits=logits, **beside(outputs))


class DistilBertMultipleChoice(MultipleChoice):
    def build(self, config: PreTrainedConfig) -> None:
        self.pre_classifier = nn.Linear(config.dim, config.dim)
        self.classifier = nn.Linear(config.dim, 1)
        self.dropout = nn.Dropout(config.seq_classif_dropout)

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        choices = input_ids.shape[1]
        input_ids = input_ids.view(-1, input_ids.size(-1))
        attention_mask = attention_mask.view(-1, attention_mask.size(-1)) if attention_mask is not None else None
        outputs = self.base_model(input_ids, attention_mask=attention_mask, **kwargs)
        states = outputs[0]
        pooled = states[:, 0]
        pooled = self.pre_classifier(pooled)
        pooled = F.relu(pooled)
        pooled = self.dropout(pooled)
        logits = self.classifier(pooled)
        reshaped = logits.view(-1, choices)
        loss = None
        if labels is not None:
            loss = F.cross_entropy(reshaped, labels)
        return MultipleChoiceModelOutput(loss=loss, logits=reshaped, **beside(outputs))


class DistilBertTokenClassification(TokenClassification):
    def classifier_dropout(self, config: PreTrainedConfig) -> Any:
        return nn.Dropout(config.dropout)


class DistilBertQuestionAnswering(QuestionAnswering):
    def build(self, config: PreTrainedConfig) -> None:
        super().build(config)
        self.dropout = nn.Dropout(config.qa_dropout)

    def project(self, states: Tensor) -> tuple:
        states = self.dropout(states)
        return states, self.qa_outputs(states)


family(
    *("DistilBert", "distilbert", DistilBertConfig, __name__),
    model=DistilBertBase,
    tied={"vocab_projector.weight": "distilbert.embeddings.word_embeddings.weight"},
    heads={
        "AutoModelForPreTraining": ("ForMaskedLM", DistilBertMaskedLM),
        "AutoModelForMaskedLM": ("ForMaskedLM", DistilBertMaskedLM),
        "AutoModelForCausalLM": None,
        "AutoModelForNextSentencePrediction": None,
        "AutoModelForSequenceClassification": ("ForSequenceClassification", DistilBertSequenceClassification),
        "AutoModelForMultipleChoice": ("ForMultipleChoice", DistilBertMultipleChoice),
        "AutoModelForTokenClassification": ("ForTokenClassification", DistilBertTokenClassification),
        "AutoModelForQuestionAnswering": ("ForQuestionAnswering", DistilBertQuestionAnswering),
    },
)
