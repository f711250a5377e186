"""What encoders in the manner of DeBERTa are trained for: words behind masks, classes of texts, choices and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from .encoder_heads import Head, MaskedLM, MultipleChoice, QuestionAnswering, TokenClassification
from ..modeling_outputs import SequenceClassifierOutput

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class ContextPooler(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.pooler_hidden_size, config.pooler_hidden_size)
        self.dropout = nn.Dropout(config.pooler_dropout)
        self.activation_name = config.pooler_hidden_act

    def forward(self, states: Tensor) -> Any:
        first = states[:, 0]
        first = self.dropout(first)
        pooled = self.dense(first)
        pooled = ACT2FN[self.activation_name](pooled)
        return pooled


class PlainPredictions(nn.Module):
    """Scores from the table of words itself, with a bias of its own."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.transform_act_fn = ACT2FN[config.hidden_act]
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, states: Tensor, words: Any) -> Any:
        states = self.dense(states)
        states = self.transform_act_fn(states)
        states = self.LayerNorm(states)
        states = torch.matmul(states, words.weight.t()) + self.bias
        return states


class PlainHead(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.lm_head = PlainPredictions(config)

    def forward(self, states: Tensor, words: Any) -> Any:
        return self.lm_head(states, words)


class DisentangledMaskedLM(MaskedLM):
    """`legacy` in the config says which head published checkpoints have."""

    def build(self, config: PreTrainedConfig) -> None:
        self.legacy = config.legacy
        if self.legacy:
            super().build(config)
        else:
            self.lm_predictions = PlainHead(config)
            self.tied = {}

    def get_output_embeddings(self) -> Any:
        return self.cls.predictions.decoder if self.legacy else self.lm_predictions.lm_head.dense

    def score(self, states: Tensor) -> Tensor:
        if self.legacy:
            return self.cls(states)
        return self.lm_predictions(states, self.deberta.embeddings.word_embeddings)


class PooledHead:
    """What heads on the first token share."""

    def build_pooler(self, config: PreTrainedConfig, count: int) -> None:
        self.pooler = ContextPooler(config)
        self.classifier = nn.Linear(config.hidden_size, count)
        self.dropout = nn.Dropout(config.hidden_dropout_prob if config.cls_dropout is None else config.cls_dropout)


class DisentangledSequenceClassification(PooledHead, Head):
    def build(self, config: PreTrainedConfig) -> None:
        self.build_pooler(config, config.num_labels)

    def loss_of(self, logits: Tensor, labels: Tensor | None) -> Callable:
        """Labels below zero are left out by value; every label is taken to count."""
        kind = self.config.problem_type
        if kind is None and labels.dim() > 1 and labels.size(-1) != 1:
            return -(F.log_softmax(logits, -1) * labels).sum(-1).mean()
        if kind is None:
            rows = torch.arange(labels.size(0), device=labels.device).view(-1, 1)
            labels = labels.long()
            labelled = torch.gather(logits, 0, rows.expand(rows.size(0), logits.size(1)))
            labels = torch.gather(labels, 0, rows.view(-1))
            return F.cross_entropy(labelled.view(-1, self.num_labels).float(), labels.view(-1))
        return self.loss_function(labels, logits, self.config)

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.base_model(input_ids, **kwargs)
        states = outputs[0]
        pooled = self.pooler(states)
        pooled = self.dropout(pooled)
        logits = self.classifier(pooled)
        loss = None
        if labels is not None:
            if self.config.problem_type is None and self.num_labels == 1:
                logits = logits.view(-1).to(labels.dtype)
                loss = F.mse_loss(logits, labels.view(-1))
            else:
                loss = self.loss_of(logits, labels)
        return SequenceClassifierOutput(loss=loss, logits=logits)


class DisentangledMultipleChoice(PooledHead, MultipleChoice):
    pooling = False

    def build(self, config: PreTrainedConfig) -> None:
        self.build_pooler(config, 1)

    def pooled(self, outputs: Any) -> Any:
        states = outputs[0]
        pooled = self.pooler(states)
        pooled = self.dropout(pooled)
        return pooled


class DisentangledTokenClassification(TokenClassification):
    def classifier_dropout(self, config: PreTrainedConfig) -> Any:
        return nn.Dropout(config.hidden_dropout_prob)


HEADS = {
    "AutoModelForPreTraining": ("ForMaskedLM", DisentangledMaskedLM),
    "AutoModelForMaskedLM": ("ForMaskedLM", DisentangledMaskedLM),
    "AutoModelForCausalLM": None,
    "AutoModelForNextSentencePrediction": None,
    "AutoModelForSequenceClassification": ("ForSequenceClassification", DisentangledSequenceClassification),
    "AutoModelForMultipleChoice": None,
    "AutoModelForTokenClassification": ("ForTokenClassification", DisentangledTokenClassification),
    "AutoModelForQuestionAnswering": ("ForQuestionAnswering", QuestionAnswering),
}
