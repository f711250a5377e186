"""Models over an encoder, with their heads, and how a family of them is registered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..modeling_utils import PreTrainedModel, register
from ..parts.losses import start_and_end
from ..modeling_outputs import (
    CausalLMOutputWithCrossAttentions,
    MaskedLMOutput,
    MultipleChoiceModelOutput,
    NextSentencePredictorOutput,
    PreTrainingOutput,
    QuestionAnsweringModelOutput,
    SequenceClassifierOutput,
    TokenClassifierOutput,
    beside,
)
from .encoder import EncoderModel

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class Head(PreTrainedModel):
    """`model_first` says whether the model is made before what the head adds: the order of parameters."""

    model_class = EncoderModel
    pooling = False
    model_first = True

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.num_labels = config.num_labels
        steps = (self.build_model, self.build)
        for step in steps if self.model_first else reversed(steps):
            step(config)
        self.post_init()

    def build_model(self, config: PreTrainedConfig) -> None:
        setattr(self, self.base_model_prefix, self.make_model(config))

    def make_model(self, config: PreTrainedConfig) -> torch.nn.Module:
        return self.model_class(config, add_pooling_layer=self.pooling)

    def classifier_dropout(self, config: PreTrainedConfig) -> Any:
        rate = getattr(config, "classifier_dropout", None)
        return nn.Dropout(config.hidden_dropout_prob if rate is None else rate)


class PredictionTransform(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.transform_act_fn = ACT2FN[config.hidden_act]
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, states: Tensor) -> Tensor:
        states = self.dense(states)
        states = self.transform_act_fn(states)
        states = self.LayerNorm(states)
        return states


class LMPredictions(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.transform = PredictionTransform(config)
        self.decoder = nn.Linear(config.hidden_size, config.vocab_size, bias=True)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, states: Tensor) -> Tensor:
        states = self.transform(states)
        states = self.decoder(states)
        return states


class MLMHead(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.predictions = LMPredictions(config)

    def forward(self, states: Tensor) -> Tensor:
        return self.predictions(states)


class PreTrainingHeads(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.predictions = LMPredictions(config)
        self.seq_relationship = nn.Linear(config.hidden_size, 2)

    def forward(self, states: Tensor, pooled: Tensor) -> tuple:
        return self.predictions(states), self.seq_relationship(pooled)


class MaskedLM(Head):
    def build(self, config: PreTrainedConfig) -> None:
        self.cls = MLMHead(config)

    def score(self, states: Tensor) -> Tensor:
        return self.cls(states)

    def get_output_embeddings(self) -> torch.nn.Module | None:
        return self.cls.predictions.decoder

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.base_model(input_ids, **kwargs)
        states = outputs[0]
        scores = self.score(states)
        loss = None
        if labels is not None:
            loss = F.cross_entropy(scores.view(-1, self.config.vocab_size), labels.view(-1))
        return MaskedLMOutput(loss=loss, logits=scores, **beside(outputs))


class LMHead(MaskedLM):
    """The encoder as a decoder."""

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        logits_to_keep: int = 0,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        if labels is not None:
            use_cache = False
        outputs = self.base_model(input_ids, use_cache=use_cache, **kwargs)
        states = outputs.last_hidden_state
        kept = slice(-logits_to_keep, None) if isinstance(logits_to_keep, int) else logits_to_keep
        logits = self.score(states[:, kept, :])
        loss = None
        if labels is not None:
            loss = self.loss_function(logits=logits, labels=labels, vocab_size=self.config.vocab_size)
        return CausalLMOutputWithCrossAttentions(
            loss=loss, logits=logits, past_key_values=outputs.past_key_values, **beside(outputs)
        )


class PreTraining(Head):
    pooling = True

    def build(self, config: PreTrainedConfig) -> None:
        self.cls = PreTrainingHeads(config)

    def get_output_embeddings(self) -> torch.nn.Module | None:
        return self.cls.predictions.decoder

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        next_sentence_label: Any = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.base_model(input_ids, **kwargs)
        states, pooled = outputs[:2]
        scores, relation = self.cls(states, pooled)
        loss = None
        if labels is not None and next_sentence_label is not None:
            words = F.cross_entropy(scores.view(-1, self.config.vocab_size), labels.view(-1))
            following = F.cross_entropy(relation.view(-1, 2), next_sentence_label.view(-1))
            loss = words + following
        return PreTrainingOutput(
            loss=loss, prediction_logits=scores, seq_relationship_logits=relation, **beside(outputs)
        )


class NSPHead(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.seq_relationship = nn.Linear(config.hidden_size, 2)

    def forward(self, pooled: Tensor) -> Any:
        return self.seq_relationship(pooled)


class NextSentence(Head):
    pooling = True

    def build(self, config: PreTrainedConfig) -> None:
        self.cls = NSPHead(config)

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.base_model(input_ids, **kwargs)
        pooled = outputs[1]
        scores = self.cls(pooled)
        loss = None
        if labels is not None:
            loss = F.cross_entropy(scores.view(-1, 2), labels.view(-1))
        return NextSentencePredictorOutput(loss=loss, logits=scores, **beside(outputs))


class SequenceClassification(Head):
    pooling = True

    def build(self, config: PreTrainedConfig) -> None:
        self.dropout = self.classifier_dropout(config)
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.base_model(input_ids, **kwargs)
        pooled = outputs[1]
        pooled = self.dropout(pooled)
        logits = self.classifier(pooled)
        loss = None
        if labels is not None:
            loss = self.loss_function(labels, logits, self.config)
        return SequenceClassifierOutput(loss=loss, logits=logits, **beside(outputs))


class MultipleChoice(Head):
    """Scores each of several texts. `pooled` makes one state per text of what the model returned."""

    pooling = True

    def build(self, config: PreTrainedConfig) -> None:
        self.dropout = self.classifier_dropout(config)
        self.classifier = nn.Linear(config.hidden_size, 1)

    def pooled(self, outputs: Any) -> Any:
        pooled = outputs[1]
        pooled = self.dropout(pooled)
        return pooled

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        choices = input_ids.shape[1]
        flat = [None if t is None else t.view(-1, t.size(-1)) for t in (input_ids, attention_mask, token_type_ids)]
        outputs = self.base_model(flat[0], attention_mask=flat[1], token_type_ids=flat[2], **kwargs)
        pooled = self.pooled(outputs)
        logits = self.classifier(pooled)
        reshaped = logits.view(-1, choices)
        loss = None
        if labels is not None:
            loss = F.cross_entropy(reshaped, labels)
        return MultipleChoiceModelOutput(loss=loss, logits=reshaped, **beside(outputs))


class TokenClassification(Head):
    def build(self, config: PreTrainedConfig) -> None:
        self.dropout = self.classifier_dropout(config)
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.base_model(input_ids, **kwargs)
        states = outputs[0]
        states = self.dropout(states)
        logits = self.classifier(states)
        loss = None
        if labels is not None:
            loss = F.cross_entropy(logits.view(-1, self.num_labels), labels.view(-1))
        return TokenClassifierOutput(loss=loss, logits=logits, **beside(outputs))


class QuestionAnswering(Head):
    def build(self, config: PreTrainedConfig) -> None:
        self.qa_outputs = nn.Linear(config.hidden_size, config.num_labels)

    def project(self, states: Tensor) -> tuple:
        """What the head keeps of the states, and their logits."""
        return states, self.qa_outputs(states)

    def forward(
        self,
        input_ids: Tensor | None = None,
        start_positions: Tensor | None = None,
        end_positions: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.base_model(input_ids, **kwargs)
        states = outputs[0]
        states, logits = self.project(states)
        start, end = start_and_end(logits)
        loss = None
        if start_positions is not None and end_positions is not None:
            loss = self.loss_function(start, end, start_positions, end_positions)
        return QuestionAnsweringModelOutput(loss=loss, start_logits=start, end_logits=end, **beside(outputs))


def family(
    prefix: str,
    attribute: str,
    config: PreTrainedConfig,
    module: torch.nn.Module,
    *,
    model: Any = EncoderModel,
    heads: int | None = None,
    tied: Any = None,
    head_fields: Any = None,
    **fields: Any,
) -> dict[str, type]:
    """
    Makes the classes of an encoder family and registers them.

    `attribute` is the name under which a head holds the model. `heads` replaces heads by Auto class; None leaves one out.
    `tied` are the tied weights of the heads with a vocabulary. `fields` are class attributes of the model, `head_fields` of all
    heads.
    """
    made = type(f"{prefix}Model", (model,), {**fields, "__module__": module})
    tied = tied or {
        "cls.predictions.decoder.weight": f"{attribute}.embeddings.word_embeddings.weight",
        "cls.predictions.decoder.bias": "cls.predictions.bias",
    }
    own = {"model_class": made, "base_model_prefix": attribute, "__module__": module, **(head_fields or {})}
    kinds = {**HEADS, **(heads or {})}
    classes = {"AutoModel": made, "AutoModelForTextEncoding": made}
    for auto, entry in kinds.items():
        if entry is None:
            continue
        ending, head = entry
        with_words = {"tied": tied} if auto in _WITH_VOCABULARY else {}
        classes[auto] = type(prefix + ending, (head,), {**own, **with_words})
    register(config, **classes)
    return classes


_WITH_VOCABULARY = ("AutoModelForMaskedLM", "AutoModelForCausalLM", "AutoModelForPreTraining")


HEADS = {
    "AutoModelForPreTraining": ("ForPreTraining", PreTraining),
    "AutoModelForMaskedLM": ("ForMaskedLM", MaskedLM),
    "AutoModelForCausalLM": ("LMHeadModel", LMHead),
    "AutoModelForNextSentencePrediction": ("ForNextSentencePrediction", NextSentence),
    "AutoModelForSequenceClassification": ("ForSequenceClassification", SequenceClassification),
    "AutoModelForMultipleChoice": ("ForMultipleChoice", MultipleChoice),
    "AutoModelForTokenClassification": ("ForTokenClassification", TokenClassification),
    "AutoModelForQuestionAnswering": ("ForQuestionAnswering", QuestionAnswering),
}
