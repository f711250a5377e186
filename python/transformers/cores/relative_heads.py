"""Heads over stacks in the manner of T5, and how a family of them is registered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn
from torch.nn import functional as F

from ..parts.losses import question_answering_loss, start_and_end
from ..modeling_utils import PreTrainedModel, register, register_classes
from ..modeling_outputs import Seq2SeqQuestionAnsweringModelOutput, TokenClassifierOutput
from .seq2seq_parts import ClassificationHead, from_parts, passed_on, SequenceScores
from .relative_models import ConditionalGeneration, EncoderModel, RelativeModel, Stack

if TYPE_CHECKING:
    from typing import Any

    import torch
    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class TokenClassification(PreTrainedModel):
    supports_sdpa = False
    base_model_prefix = "transformer"
    encoder_class = EncoderModel

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.num_labels = config.num_labels
        self.transformer = self.encoder_class(config)
        self.dropout = nn.Dropout(config.classifier_dropout)
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)
        self.post_init()

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.transformer(input_ids, **kwargs)
        states = outputs[0]
        states = self.dropout(states)
        logits = self.classifier(states)
        loss = None
        if labels is not None:
            loss = F.cross_entropy(logits.view(-1, self.num_labels), labels.view(-1))
        result = passed_on(TokenClassifierOutput, outputs, loss=loss, logits=logits)
        return result.to_tuple() if return_dict is False else result


class SequenceClassification(SequenceScores, PreTrainedModel):
    supports_sdpa = False
    base_model_prefix = "transformer"
    model_class = RelativeModel

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.transformer = self.model_class(config)
        self.classification_head = ClassificationHead(config.d_model, config.num_labels, config.classifier_dropout)
        self.post_init()

    def forward(
        self,
        input_ids: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_inputs_embeds: Tensor | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        if labels is not None:
            use_cache = False
        if decoder_input_ids is None and decoder_inputs_embeds is None:
            decoder_input_ids = self.transformer._shift_right(input_ids)
        outputs = self.transformer(
            input_ids,
            decoder_input_ids=decoder_input_ids,
            decoder_inputs_embeds=decoder_inputs_embeds,
            use_cache=use_cache,
            **kwargs,
        )
        return self.classified(outputs, input_ids, labels, return_dict)


class QuestionAnswering(RelativeModel):
    def build(self, config: PreTrainedConfig) -> None:
        self.qa_outputs = nn.Linear(config.hidden_size, config.num_labels)

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        encoder_outputs: Any = None,
        start_positions: Tensor | None = None,
        end_positions: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        decoder_inputs_embeds: Tensor | None = None,
        use_cache: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        if start_positions is not None and end_positions is not None:
            use_cache = False
        if decoder_input_ids is None and decoder_inputs_embeds is None:
            decoder_input_ids = self._shift_right(input_ids)
        encoder_outputs, decoder_input_ids, outputs = self.stacks(
            *(input_ids, attention_mask, decoder_input_ids, decoder_attention_mask, encoder_outputs),
            *(None, inputs_embeds, decoder_inputs_embeds, use_cache),
            **kwargs,
        )
        sequence = outputs[0]
        logits = self.qa_outputs(sequence)
        start, end = start_and_end(logits)
        loss = question_answering_loss(start, end, start_positions, end_positions)
        result = from_parts(
            *(Seq2SeqQuestionAnsweringModelOutput, outputs, encoder_outputs),
            **{"loss": loss, "start_logits": start, "end_logits": end},
        )
        return result.to_tuple() if return_dict is False else result


def family(
    prefix: str,
    config: PreTrainedConfig,
    module: torch.nn.Module,
    *,
    stack: Any = Stack,
    also: tuple[str] = ("AutoModelForPreTraining",),
    heads: bool = True,
    model: Any = RelativeModel,
    lm: Any = ConditionalGeneration,
    **fields: Any,
) -> dict[str, type]:
    """
    Makes the classes of a family with T5's attention and registers them.

    `fields` are class attributes of model and heads. `also` are further Auto classes that lead to the model with a language
    head; `heads` says whether there are classifiers.
    """
    own = {"stack_class": stack, "__module__": module, **fields}
    made = type(f"{prefix}Model", (model,), dict(own))
    encoder = type(f"{prefix}EncoderModel", (EncoderModel,), dict(own))
    classes = {
        "AutoModel": made,
        "AutoModelForSeq2SeqLM": type(f"{prefix}ForConditionalGeneration", (lm,), dict(own)),
        "AutoModelForTextEncoding": encoder,
    }
    if heads:
        for ending, kind, more in (
            ("ForSequenceClassification", SequenceClassification, {"model_class": made}),
            ("ForTokenClassification", TokenClassification, {"encoder_class": encoder}),
            ("ForQuestionAnswering", QuestionAnswering, {}),
        ):
            classes[f"AutoModel{ending}"] = type(prefix + ending, (kind,), {**own, **more})
    for auto in also:
        classes[auto] = classes["AutoModelForSeq2SeqLM"]
    register(config, **classes)
    register_classes(
        type(f"{prefix}PreTrainedModel", (PreTrainedModel,), {"config_class": config, "__module__": module})
    )
    return classes
