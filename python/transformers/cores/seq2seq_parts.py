"""What models over an encoder and a decoder share: shifted tokens, the encoder's output, the ends of their heads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..modeling_outputs import BaseModelOutput, Seq2SeqSequenceClassifierOutput
from ..parts.losses import sequence_classification_loss

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


def shift_right(config: PreTrainedConfig, input_ids: Tensor) -> Tensor:
    """What the decoder reads to say `input_ids`: a start token, then all but the last."""
    shifted = input_ids.new_zeros(input_ids.shape)
    shifted[:, 1:] = input_ids[:, :-1].clone()
    shifted[:, 0] = config.decoder_start_token_id
    if config.pad_token_id is None:
        raise ValueError("self.model.config.pad_token_id has to be defined.")
    shifted.masked_fill_(shifted == -100, config.pad_token_id)
    return shifted


def as_encoder_output(outputs: Any) -> Any:
    """An encoder's result, from whatever the program passes as one."""
    if isinstance(outputs, BaseModelOutput):
        return outputs
    return BaseModelOutput(
        last_hidden_state=outputs[0],
        hidden_states=outputs[1] if len(outputs) > 1 else None,
        attentions=outputs[2] if len(outputs) > 2 else None,
    )


def from_parts(kind: type, decoder: Any, encoder: Any, **first: Tensor) -> Any:
    """A result of `kind` with what decoder and encoder returned beside their last states."""
    return kind(
        **first,
        past_key_values=decoder.past_key_values,
        decoder_hidden_states=decoder.hidden_states,
        decoder_attentions=decoder.attentions,
        cross_attentions=decoder.cross_attentions,
        encoder_last_hidden_state=encoder.last_hidden_state,
        encoder_hidden_states=encoder.hidden_states,
        encoder_attentions=encoder.attentions,
    )


def passed_on(kind: type, outputs: Any, **first: Tensor) -> Any:
    """A result of `kind` with what a model under a head returned beside its last states."""
    names = [name for name in kind.fields if name not in first]
    return kind(**first, **{name: getattr(outputs, name, None) for name in names})


class ClassificationHead(nn.Module):
    def __init__(self, size: int, labels: Tensor, dropout: float) -> None:
        super().__init__()
        self.dense = nn.Linear(size, size)
        self.dropout = nn.Dropout(p=dropout)
        self.out_proj = nn.Linear(size, labels)

    def forward(self, states: Tensor) -> Any:
        states = self.dropout(states)
        states = self.dense(states)
        states = torch.tanh(states)
        states = self.dropout(states)
        states = self.out_proj(states)
        return states


def at_end_of_sequence(states: Tensor, ends: Any) -> Any:
    """The states [batch, size] of the last end token of each sequence; every sequence is taken to have one."""
    indices = torch.arange(states.shape[1], device=states.device).expand(ends.shape)
    chosen = states[torch.arange(states.shape[0], device=states.device), (indices * ends).argmax(-1)]
    return chosen.view(states.size(0), -1, states.size(-1))[:, -1, :]


def word_loss(logits: Tensor, labels: Tensor) -> Any:
    """What the scores of words cost where labels are given."""
    if labels is None:
        return None
    labels = labels.to(logits.device)
    return F.cross_entropy(logits.view(-1, logits.shape[-1]), labels.view(-1))


class SequenceScores:
    """The end of a head that says the class of each sequence: it reads the states of the last end token."""

    def classified(self, outputs: Any, input_ids: Tensor, labels: Tensor, return_dict: bool) -> Any:
        states = outputs[0]
        ends = input_ids.eq(self.config.eos_token_id).to(states.device)
        chosen = at_end_of_sequence(states, ends)
        logits = self.classification_head(chosen)
        loss = None
        if labels is not None:
            loss = sequence_classification_loss(labels, logits, self.config)
        result = passed_on(Seq2SeqSequenceClassifierOutput, outputs, loss=loss, logits=logits)
        return result.to_tuple() if return_dict is False else result
