"""albert: words of their own size, and layers of which a few are run many times."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..cores.encoder import Embeddings, EncoderConfig, SelfAttention
from ..cores.encoder_heads import (
    MaskedLM,
    MultipleChoice,
    PreTraining,
    SequenceClassification,
    TokenClassification,
    family,
)
from ..modeling_outputs import ModelOutput, beside

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class AlbertConfig(EncoderConfig):
    model_type = "albert"
    vocab_size = 30000
    embedding_size = 128
    hidden_size = 4096
    num_hidden_groups = 1
    num_attention_heads = 64
    intermediate_size = 16384
    inner_group_num = 1
    hidden_act = "gelu_new"
    hidden_dropout_prob = 0.0
    attention_probs_dropout_prob = 0.0
    classifier_dropout_prob = 0.1
    bos_token_id = 2
    eos_token_id = 3


class AlbertForPreTrainingOutput(ModelOutput):
    fields = ("loss", "prediction_logits", "sop_logits", "hidden_states", "attentions")


class AlbertEmbeddings(Embeddings):
    size_name = "embedding_size"


class AlbertAttention(SelfAttention):
    def __init__(self, config: AlbertConfig) -> None:
        super().__init__(config)
        self.output_dropout = nn.Dropout(config.hidden_dropout_prob)
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def steps(self, hidden_states: Tensor) -> tuple[torch.nn.Module, torch.nn.Module, Callable]:
        return self.dense, self.output_dropout, lambda attended: self.LayerNorm(hidden_states + attended)


class AlbertLayer(nn.Module):
    def __init__(self, config: AlbertConfig) -> None:
        super().__init__()
        self.full_layer_layer_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.attention = AlbertAttention(config)
        self.ffn = nn.Linear(config.hidden_size, config.intermediate_size)
        self.ffn_output = nn.Linear(config.intermediate_size, config.hidden_size)
        self.activation = ACT2FN[config.hidden_act]

    def feed_forward(self, attended: Tensor) -> Tensor:
        fed = self.ffn(attended)
        fed = self.activation(fed)
        fed = self.ffn_output(fed)
        return fed

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> Tensor:
        attended, _ = self.attention(hidden_states, attention_mask, **kwargs)
        fed = self.feed_forward(attended)
        hidden_states = self.full_layer_layer_norm(fed + attended)
        return hidden_states


class AlbertLayerGroup(nn.Module):
    def __init__(self, config: AlbertConfig) -> None:
        super().__init__()
        self.albert_layers = nn.ModuleList(AlbertLayer(config) for _ in range(config.inner_group_num))

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> Tensor:
        for layer in self.albert_layers:
            hidden_states = layer(hidden_states, attention_mask, **kwargs)
        return hidden_states


class AlbertTransformer(nn.Module):
    def __init__(self, config: AlbertConfig) -> None:
        super().__init__()
        self.times = config.num_hidden_layers
        self.embedding_hidden_mapping_in = nn.Linear(config.embedding_size, config.hidden_size)
        self.albert_layer_groups = nn.ModuleList(AlbertLayerGroup(config) for _ in range(config.num_hidden_groups))

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> Tensor:
        hidden_states = self.embedding_hidden_mapping_in(hidden_states)
        groups = len(self.albert_layer_groups)
        for index in range(self.times):
            group = int(index / (self.times / groups))
            hidden_states = self.albert_layer_groups[group](hidden_states, attention_mask, **kwargs)
        return hidden_states


class AlbertPooler(nn.Linear):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config.hidden_size, config.hidden_size)

    def forward(self, states: Tensor) -> Any:
        return torch.tanh(super().forward(states[:, 0]))


class AlbertMLMHead(nn.Module):
    def __init__(self, config: AlbertConfig) -> None:
        super().__init__()
        self.LayerNorm = nn.LayerNorm(config.embedding_size, eps=config.layer_norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        self.dense = nn.Linear(config.hidden_size, config.embedding_size)
        self.decoder = nn.Linear(config.embedding_size, config.vocab_size)
        self.activation = ACT2FN[config.hidden_act]

    def forward(self, states: Tensor) -> Tensor:
        states = self.dense(states)
        states = self.activation(states)
        states = self.LayerNorm(states)
        states = self.decoder(states)
        return states


class AlbertSOPHead(nn.Module):
    """Says whether two sentences stand in their order."""

    def __init__(self, config: AlbertConfig) -> None:
        super().__init__()
        self.dropout = nn.Dropout(config.classifier_dropout_prob)
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)

    def forward(self, pooled: Tensor) -> Tensor:
        dropped = self.dropout(pooled)
        logits = self.classifier(dropped)
        return logits


class AlbertDropout:
    """Heads name their dropout in a field of their own."""

    def classifier_dropout(self, config: PreTrainedConfig) -> Any:
        rate = config.classifier_dropout_prob
        return nn.Dropout(config.hidden_dropout_prob if rate is None else rate)


class AlbertMaskedLM(MaskedLM):
    def build(self, config: PreTrainedConfig) -> None:
        self.predictions = AlbertMLMHead(config)

    def score(self, states: Tensor) -> Tensor:
        return self.predictions(states)

    def get_output_embeddings(self) -> torch.nn.Module | None:
        return self.predictions.decoder


class AlbertPreTraining(PreTraining):
    def build(self, config: PreTrainedConfig) -> None:
        self.predictions = AlbertMLMHead(config)
        self.sop_classifier = AlbertSOPHead(config)

    def get_output_embeddings(self) -> torch.nn.Module | None:
        return self.predictions.decoder

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        sentence_order_label: Any = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> AlbertForPreTrainingOutput:
        outputs = self.base_model(input_ids, **kwargs)
        states, pooled = outputs[:2]
        scores = self.predictions(states)
        order = self.sop_classifier(pooled)
        loss = None
        if labels is not None and sentence_order_label is not None:
            words = F.cross_entropy(scores.view(-1, self.config.vocab_size), labels.view(-1))
            sentences = F.cross_entropy(order.view(-1, 2), sentence_order_label.view(-1))
            loss = words + sentences
        return AlbertForPreTrainingOutput(loss=loss, prediction_logits=scores, sop_logits=order, **beside(outputs))


class AlbertSequenceClassification(AlbertDropout, SequenceClassification):
    pass


class AlbertMultipleChoice(AlbertDropout, MultipleChoice):
    pass


class AlbertTokenClassification(AlbertDropout, TokenClassification):
    pass


family(
    *("Albert", "albert", AlbertConfig, __name__),
    heads={
        "AutoModelForPreTraining": ("ForPreTraining", AlbertPreTraining),
        "AutoModelForMaskedLM": ("ForMaskedLM", AlbertMaskedLM),
        "AutoModelForCausalLM": None,
        "AutoModelForNextSentencePrediction": None,
        "AutoModelForSequenceClassification": ("ForSequenceClassification", AlbertSequenceClassification),
        "AutoModelForMultipleChoice": ("ForMultipleChoice", AlbertMultipleChoice),
        "AutoModelForTokenClassification": ("ForTokenClassification", AlbertTokenClassification),
    },
    tied={
        "predictions.decoder.weight": "albert.embeddings.word_embeddings.weight",
        "predictions.decoder.bias": "predictions.bias",
    },
    head_fields={"supports_gradient_checkpointing": False},
    supports_gradient_checkpointing=False,
    records={"hidden_states": AlbertLayer, "attentions": AlbertAttention},
    embeddings_class=AlbertEmbeddings,
    encoder_class=AlbertTransformer,
    pooler_class=AlbertPooler,
)
