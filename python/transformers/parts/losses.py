"""Losses that models compute from their own outputs, by the kind of head."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch.nn import functional as F

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


def _cross_entropy(logits, labels, count=None, ignored=-100):
    if count is None:
        return F.cross_entropy(logits, labels, ignore_index=ignored)
    loss = F.cross_entropy(logits, labels, ignore_index=ignored, reduction="sum")
    return loss / count


def causal_lm_loss(
    logits: Tensor,
    labels: Tensor,
    vocab_size: int,
    num_items_in_batch: Any = None,
    ignore_index: int = -100,
    shift_labels: Any = None,
    **_: Any,
) -> Tensor:
    """Each place predicts the next token. Logits are [batch, length, vocabulary], in float32 from here on."""
    logits = logits.float()
    if shift_labels is None:
        labels = F.pad(labels, (0, 1), value=ignore_index)
        shift_labels = labels[..., 1:].contiguous()
    logits = logits.view(-1, vocab_size)
    shift_labels = shift_labels.view(-1)
    shift_labels = shift_labels.to(logits.device)
    return _cross_entropy(logits, shift_labels, num_items_in_batch, ignore_index)


def masked_lm_loss(
    logits: Tensor, labels: Tensor, vocab_size: Any, num_items_in_batch: Any = None, ignore_index: int = -100, **_: Any
) -> Tensor:
    logits = logits.float()
    logits = logits.view(-1, vocab_size)
    labels = labels.view(-1)
    labels = labels.to(logits.device)
    return _cross_entropy(logits, labels, num_items_in_batch, ignore_index)


def sequence_classification_loss(labels: Tensor, pooled_logits: Tensor, config: PreTrainedConfig, **_: Any) -> Tensor:
    """One label per sequence; the kind of problem follows from the labels if the config does not say."""
    count = config.num_labels
    if config.problem_type is None:
        if count == 1:
            config.problem_type = "regression"
        elif not labels.dtype.is_floating_point:
            config.problem_type = "single_label_classification"
        else:
            config.problem_type = "multi_label_classification"
    labels = labels.to(pooled_logits.device)
    if config.problem_type == "regression":
        if count == 1:
            return F.mse_loss(pooled_logits.squeeze(), labels.squeeze())
        return F.mse_loss(pooled_logits, labels)
    if config.problem_type == "single_label_classification":
        return _cross_entropy(pooled_logits.view(-1, count), labels.view(-1))
    return F.binary_cross_entropy_with_logits(pooled_logits, labels)


def start_and_end(logits: Tensor) -> tuple:
    """Scores [batch, length] of where an answer starts and of where it ends."""
    start, end = logits.split(1, dim=-1)
    start = start.squeeze(-1).contiguous()
    end = end.squeeze(-1).contiguous()
    return start, end


def question_answering_loss(
    start_logits: Any, end_logits: Any, start_positions: Tensor, end_positions: Tensor, **_: Any
) -> Any:
    if start_positions is None or end_positions is None:
        return None
    if start_positions.dim() > 1:
        start_positions = start_positions.squeeze(-1).to(start_logits.device)
    if end_positions.dim() > 1:
        end_positions = end_positions.squeeze(-1).to(end_logits.device)
    ignored = start_logits.size(1)
    start_positions = start_positions.clamp(0, ignored)
    end_positions = end_positions.clamp(0, ignored)
    first = _cross_entropy(start_logits, start_positions, ignored=ignored)
    last = _cross_entropy(end_logits, end_positions, ignored=ignored)
    return (first + last) / 2


def token_classification_loss(logits: Tensor, labels: Tensor, config: PreTrainedConfig, **_: Any) -> Tensor:
    logits = logits.view(-1, config.num_labels)
    labels = labels.view(-1).to(logits.device)
    logits = logits.float()
    return _cross_entropy(logits, labels)


# By the ending of the model's class name; a class may name its loss in `loss_type`.
BY_ENDING = {
    "ForCausalLM": causal_lm_loss,
    "ForConditionalGeneration": causal_lm_loss,
    "ForMaskedLM": masked_lm_loss,
    "ForQuestionAnswering": question_answering_loss,
    "ForSequenceClassification": sequence_classification_loss,
    "ForImageClassification": sequence_classification_loss,
    "ForVideoClassification": sequence_classification_loss,
    "ForAudioClassification": sequence_classification_loss,
    "ForTokenClassification": token_classification_loss,
}


def loss_of(class_name: str) -> Callable:
    for ending, loss in BY_ENDING.items():
        if class_name.endswith(ending):
            return loss
    return causal_lm_loss
