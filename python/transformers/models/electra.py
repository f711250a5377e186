"""electra: bert with words of their own size, a head that spots replaced words, and one that guesses hidden ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn
from torch.nn import functional as F

from ..activations import get_activation
from ..cores.encoder import Embeddings, EncoderConfig, EncoderModel
from ..cores.encoder_heads import Head, LMHead, MaskedLM, MultipleChoice, family
from ..modeling_outputs import ModelOutput, beside
from .roberta import RobertaClassificationHead, RobertaSequenceClassification

if TYPE_CHECKING:
    from typing import Any

    import torch
    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class ElectraConfig(EncoderConfig):
    model_type = "electra"
    embedding_size = 128
    hidden_size = 256
    num_attention_heads = 4
    intermediate_size = 1024
    summary_type = "first"
    summary_use_proj = True
    summary_activation = "gelu"
    summary_last_dropout = 0.1


class ElectraForPreTrainingOutput(ModelOutput):
    fields = ("loss", "logits", "hidden_states", "attentions")


class ElectraEmbeddings(Embeddings):
    size_name = "embedding_size"


class ElectraBase(EncoderModel):
    """Without a pooler; words are projected to the size of the layers if theirs is another."""

    def __init__(self, config: PreTrainedConfig, add_pooling_layer: bool = False) -> None:
        super().__init__(config, add_pooling_layer=False)

    def build_projection(self, config: PreTrainedConfig) -> None:
        if config.embedding_size != config.hidden_size:
            self.embeddings_project = nn.Linear(config.embedding_size, config.hidden_size)

    def project(self, embedded: Tensor) -> Any:
        return self.embeddings_project(embedded) if hasattr(self, "embeddings_project") else embedded


class DiscriminatorPredictions(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.activation = get_activation(config.hidden_act)
        self.dense_prediction = nn.Linear(config.hidden_size, 1)

    def forward(self, states: Tensor) -> Any:
        states = self.dense(states)
        states = self.activation(states)
        return self.dense_prediction(states).squeeze(-1)


class GeneratorPredictions(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.activation = get_activation("gelu")
        self.LayerNorm = nn.LayerNorm(config.embedding_size, eps=config.layer_norm_eps)
        self.dense = nn.Linear(config.hidden_size, config.embedding_size)

    def forward(self, states: Tensor) -> Any:
        states = self.dense(states)
        states = self.activation(states)
        states = self.LayerNorm(states)
        return states


class ElectraMaskedLM(MaskedLM):
    def build(self, config: PreTrainedConfig) -> None:
        self.generator_predictions = GeneratorPredictions(config)
        self.generator_lm_head = nn.Linear(config.embedding_size, config.vocab_size)

    def get_output_embeddings(self) -> torch.nn.Module | None:
        return self.generator_lm_head

    def score(self, states: Tensor) -> Any:
        return self.generator_lm_head(self.generator_predictions(states))


class ElectraCausalLM(ElectraMaskedLM, LMHead):
    forward = LMHead.forward


class ElectraPreTraining(Head):
    def build(self, config: PreTrainedConfig) -> None:
        self.discriminator_predictions = DiscriminatorPredictions(config)

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> ElectraForPreTrainingOutput:
        outputs = self.base_model(input_ids, attention_mask=attention_mask, **kwargs)
        states = outputs[0]
        logits = self.discriminator_predictions(states)
        loss = None
        if labels is not None:
            if attention_mask is not None:
                active = attention_mask.view(-1, states.shape[1]) == 1
                chosen = logits.view(-1, states.shape[1])[active]
                truth = labels[active]
                loss = F.binary_cross_entropy_with_logits(chosen, truth.float())
            else:
                loss = F.binary_cross_entropy_with_logits(logits.view(-1, states.shape[1]), labels.float())
        return ElectraForPreTrainingOutput(loss=loss, logits=logits, **beside(outputs))


class ElectraClassificationHead(RobertaClassificationHead):
    def __init__(self, config: PreTrainedConfig, dropout: float) -> None:
        super().__init__(config, dropout)
        self.activation = get_activation("gelu")

    def forward(self, states: Tensor) -> Any:
        x = states[:, 0, :]
        x = self.dropout(x)
        x = self.dense(x)
        x = self.activation(x)
        x = self.dropout(x)
        x = self.out_proj(x)
        return x


class ElectraSequenceClassification(RobertaSequenceClassification):
    model_first = True

    def build(self, config: PreTrainedConfig) -> None:
        self.classifier = ElectraClassificationHead(config, self.classifier_dropout(config))


class SequenceSummary(nn.Module):
    """One state for a sequence, as the config's `summary_...` say: its first, last or mean."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.kind = getattr(config, "summary_type", "last")
        if self.kind not in ("first", "last", "mean"):
            raise NotImplementedError(f"vramscope has no summary_type {self.kind!r}")
        size = config.hidden_size
        labels = config.num_labels if getattr(config, "summary_proj_to_labels", False) else size
        self.summary = nn.Linear(size, labels) if getattr(config, "summary_use_proj", False) else nn.Identity()
        name = getattr(config, "summary_activation", None)
        self.activation = get_activation(name) if name else nn.Identity()
        first, last = getattr(config, "summary_first_dropout", 0), getattr(config, "summary_last_dropout", 0)
        self.first_dropout = nn.Dropout(first) if first > 0 else nn.Identity()
        self.last_dropout = nn.Dropout(last) if last > 0 else nn.Identity()

    def forward(self, states: Tensor) -> Any:
        if self.kind == "mean":
            output = states.mean(dim=1)
        else:
            output = states[:, 0 if self.kind == "first" else -1]
        output = self.first_dropout(output)
        output = self.summary(output)
        output = self.activation(output)
        output = self.last_dropout(output)
        return output


class ElectraMultipleChoice(MultipleChoice):
    def build(self, config: PreTrainedConfig) -> None:
        self.sequence_summary = SequenceSummary(config)
        self.classifier = nn.Linear(config.hidden_size, 1)

    def pooled(self, outputs: Any) -> Any:
        return self.sequence_summary(outputs[0])


family(
    *("Electra", "electra", ElectraConfig, __name__),
    model=ElectraBase,
    heads={
        "AutoModelForPreTraining": ("ForPreTraining", ElectraPreTraining),
        "AutoModelForMaskedLM": ("ForMaskedLM", ElectraMaskedLM),
        "AutoModelForCausalLM": ("ForCausalLM", ElectraCausalLM),
        "AutoModelForNextSentencePrediction": None,
        "AutoModelForSequenceClassification": ("ForSequenceClassification", ElectraSequenceClassification),
        "AutoModelForMultipleChoice": ("ForMultipleChoice", ElectraMultipleChoice),
    },
    tied={"generator_lm_head.weight": "electra.embeddings.word_embeddings.weight"},
    embeddings_class=ElectraEmbeddings,
)
