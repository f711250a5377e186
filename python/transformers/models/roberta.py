"""roberta: bert with positions that skip padding, no types of tokens to speak of, and smaller heads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cores.encoder import Embeddings, EncoderConfig
from ..cores.encoder_heads import (
    LMHead,
    MaskedLM,
    MultipleChoice,
    QuestionAnswering,
    SequenceClassification,
    TokenClassification,
    family,
)
from ..parts.losses import sequence_classification_loss
from ..modeling_outputs import SequenceClassifierOutput, beside

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class RobertaConfig(EncoderConfig):
    model_type = "roberta"
    vocab_size = 50265
    pad_token_id = 1
    bos_token_id = 0
    eos_token_id = 2


def count_positions(input_ids: Tensor, padding: int, seen: int | None) -> Tensor:
    """Positions over the tokens that are not padding, whose own is `padding`. `seen` is None where none can come before."""
    mask = input_ids.ne(padding).int()
    if seen is None:
        counted = torch.cumsum(mask, dim=1).type_as(mask) * mask
    else:
        counted = (torch.cumsum(mask, dim=1).type_as(mask) + seen) * mask
    return counted.long() + padding


class RobertaEmbeddings(Embeddings):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.padding_idx = config.pad_token_id
        self.position_embeddings = nn.Embedding(
            config.max_position_embeddings, config.hidden_size, padding_idx=self.padding_idx
        )

    def positions(self, input_ids: Tensor, inputs_embeds: Tensor | None, seen: int) -> Tensor:
        if input_ids is not None:
            return count_positions(input_ids, self.padding_idx, seen)
        batch, length = inputs_embeds.size()[:-1]
        first = self.padding_idx + 1
        positions = torch.arange(first, first + length, dtype=torch.long, device=inputs_embeds.device)
        return positions.unsqueeze(0).expand(batch, length)


class RobertaLMHead(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.layer_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.decoder = nn.Linear(config.hidden_size, config.vocab_size)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, x: Tensor) -> Tensor:
        x = self.dense(x)
        x = F.gelu(x)
        x = self.layer_norm(x)
        x = self.decoder(x)
        return x


class RobertaClassificationHead(nn.Module):
    def __init__(self, config: PreTrainedConfig, dropout: float) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = dropout
        self.out_proj = nn.Linear(config.hidden_size, config.num_labels)

    def forward(self, states: Tensor) -> Any:
        x = states[:, 0, :]
        x = self.dropout(x)
        x = self.dense(x)
        x = torch.tanh(x)
        x = self.dropout(x)
        x = self.out_proj(x)
        return x


class RobertaMaskedLM(MaskedLM):
    head_class = RobertaLMHead

    def build(self, config: PreTrainedConfig) -> None:
        self.lm_head = self.head_class(config)

    def score(self, states: Tensor) -> Tensor:
        return self.lm_head(states)

    def get_output_embeddings(self) -> torch.nn.Module | None:
        return self.lm_head.decoder


class RobertaCausalLM(RobertaMaskedLM, LMHead):
    forward = LMHead.forward


class RobertaSequenceClassification(SequenceClassification):
    """The head looks at the first token itself."""

    pooling = False
    model_first = False

    def build(self, config: PreTrainedConfig) -> None:
        self.classifier = RobertaClassificationHead(config, self.classifier_dropout(config))

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.base_model(input_ids, **kwargs)
        states = outputs[0]
        logits = self.classifier(states)
        loss = None
        if labels is not None:
            loss = sequence_classification_loss(labels, logits, self.config)
        return SequenceClassifierOutput(loss=loss, logits=logits, **beside(outputs))


class RobertaTokenClassification(TokenClassification):
    model_first = False


class RobertaQuestionAnswering(QuestionAnswering):
    model_first = False


class RobertaMultipleChoice(MultipleChoice):
    model_first = False

    def build(self, config: PreTrainedConfig) -> None:
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.classifier = nn.Linear(config.hidden_size, 1)


HEADS = {
    "AutoModelForPreTraining": ("ForMaskedLM", RobertaMaskedLM),
    "AutoModelForMaskedLM": ("ForMaskedLM", RobertaMaskedLM),
    "AutoModelForCausalLM": ("ForCausalLM", RobertaCausalLM),
    "AutoModelForNextSentencePrediction": None,
    "AutoModelForSequenceClassification": ("ForSequenceClassification", RobertaSequenceClassification),
    "AutoModelForMultipleChoice": ("ForMultipleChoice", RobertaMultipleChoice),
    "AutoModelForTokenClassification": ("ForTokenClassification", RobertaTokenClassification),
    "AutoModelForQuestionAnswering": ("ForQuestionAnswering", RobertaQuestionAnswering),
}
TIED = {
    "lm_head.decoder.weight": "roberta.embeddings.word_embeddings.weight",
    "lm_head.decoder.bias": "lm_head.bias",
}

family("Roberta", "roberta", RobertaConfig, __name__, heads=HEADS, tied=TIED, embeddings_class=RobertaEmbeddings)
