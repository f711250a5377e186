"""Models over an encoder and a decoder, with their heads, and how a family of them is registered."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING

import torch
from torch import nn

from ..modeling_utils import PreTrainedModel, register, register_classes
from ..modeling_outputs import (
    CausalLMOutputWithCrossAttentions,
    Seq2SeqLMOutput,
    Seq2SeqModelOutput,
    Seq2SeqQuestionAnsweringModelOutput,
)
from ..parts.losses import question_answering_loss, start_and_end
from .seq2seq import Seq2SeqDecoder, Seq2SeqEncoder
from .seq2seq_embeddings import ScaledEmbedding
from .seq2seq_parts import (
    as_encoder_output,
    ClassificationHead,
    from_parts,
    passed_on,
    SequenceScores,
    shift_right,
    word_loss,
)

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig
    from transformers.cache_utils import Cache


class Seq2SeqModel(PreTrainedModel):
    """Encoder and decoder. `shifts_input` says that the decoder reads the input, shifted, where it is given nothing else."""

    encoder_class = Seq2SeqEncoder
    decoder_class = Seq2SeqDecoder
    shifts_input = False
    shift = staticmethod(shift_right)
    tied = {"decoder.embed_tokens.weight": "shared.weight", "encoder.embed_tokens.weight": "shared.weight"}

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.build_words(config)
        self.encoder = self.encoder_class(config)
        self.decoder = self.decoder_class(config)
        self.post_init()

    def build_words(self, config: PreTrainedConfig) -> None:
        if self.encoder_class.scales_in_table:
            scale = math.sqrt(config.d_model) if config.scale_embedding else 1.0
            self.shared = ScaledEmbedding(config.vocab_size, config.d_model, config.pad_token_id, scale)
        else:
            self.shared = nn.Embedding(config.vocab_size, config.d_model, config.pad_token_id)

    def get_input_embeddings(self) -> ScaledEmbedding:
        return self.shared

    def set_input_embeddings(self, table: Any) -> None:
        self.shared = self.encoder.embed_tokens = self.decoder.embed_tokens = table

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        encoder_outputs: Any = None,
        past_key_values: Cache | None = None,
        inputs_embeds: Tensor | None = None,
        decoder_inputs_embeds: Tensor | None = None,
        use_cache: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        if self.shifts_input and decoder_input_ids is None and decoder_inputs_embeds is None:
            if input_ids is None:
                raise ValueError(
                    "If no `decoder_input_ids` or `decoder_inputs_embeds` are passed, `input_ids` cannot be `None`."
                )
            decoder_input_ids = self.shift(self.config, input_ids)
        if encoder_outputs is None:
            encoder_outputs = self.encoder(
                input_ids=input_ids, attention_mask=attention_mask, inputs_embeds=inputs_embeds, **kwargs
            )
        else:
            encoder_outputs = as_encoder_output(encoder_outputs)
        outputs = self.decoder(
            input_ids=decoder_input_ids,
            attention_mask=decoder_attention_mask,
            encoder_hidden_states=encoder_outputs[0],
            encoder_attention_mask=attention_mask,
            past_key_values=past_key_values,
            inputs_embeds=decoder_inputs_embeds,
            use_cache=use_cache,
            **kwargs,
        )
        result = from_parts(Seq2SeqModelOutput, outputs, encoder_outputs, last_hidden_state=outputs.last_hidden_state)
        return result.to_tuple() if return_dict is False else result


class Seq2SeqHead(PreTrainedModel):
    model_class = Seq2SeqModel

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.model = self.model_class(config)
        self.build(config)
        self.post_init()


class ConditionalGeneration(Seq2SeqHead):
    """
    The decoder's states as scores of words.

    `adds_bias` says that a constant is added to them, in a statement of its own if `bias_apart`. `drops_cache` says that
    training with labels needs no memory.
    """

    tied = {"lm_head.weight": "model.shared.weight"}
    head_name = "lm_head"
    adds_bias = True
    bias_apart = False
    drops_cache = True

    def build(self, config: PreTrainedConfig) -> None:
        words = self.word_count(config)
        if self.adds_bias:
            self.register_buffer("final_logits_bias", torch.zeros((1, words)))
        setattr(self, self.head_name, nn.Linear(config.d_model, words, bias=False))

    def word_count(self, config: PreTrainedConfig) -> int:
        return config.vocab_size

    def get_output_embeddings(self) -> torch.nn.Module:
        return getattr(self, self.head_name)

    def resize_token_embeddings(
        self, count: int | None = None, pad_to_multiple_of: Any = None, mean_resizing: bool = True
    ) -> Any:
        table = super().resize_token_embeddings(count, pad_to_multiple_of, mean_resizing)
        if self.adds_bias:
            self.final_logits_bias = self.final_logits_bias.new_zeros((1, table.weight.shape[0]))
        return table

    def prepare_decoder_input_ids_from_labels(self, labels: Tensor) -> Tensor:
        return self.model_class.shift(self.config, labels)

    def score(self, states: Tensor) -> Tensor:
        head = self.get_output_embeddings()
        if not self.adds_bias:
            return head(states)
        if not self.bias_apart:
            return head(states) + self.final_logits_bias
        logits = head(states)
        logits = logits + self.final_logits_bias.to(logits.device)
        return logits

    def cost(self, logits: Tensor, labels: Tensor) -> Any:
        """The loss, or None without labels."""
        return word_loss(logits, labels)

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        encoder_outputs: Any = None,
        past_key_values: Cache | None = None,
        inputs_embeds: Tensor | None = None,
        decoder_inputs_embeds: Tensor | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        return self.say(
            input_ids,
            labels,
            return_dict,
            attention_mask=attention_mask,
            decoder_input_ids=decoder_input_ids,
            encoder_outputs=encoder_outputs,
            decoder_attention_mask=decoder_attention_mask,
            past_key_values=past_key_values,
            inputs_embeds=inputs_embeds,
            decoder_inputs_embeds=decoder_inputs_embeds,
            use_cache=use_cache,
            **kwargs,
        )

    def say(
        self,
        inputs: Any,
        labels: Tensor,
        return_dict: bool,
        *,
        decoder_input_ids: Tensor,
        decoder_inputs_embeds: Tensor,
        use_cache: bool,
        **kwargs: Any,
    ) -> Any:
        """The model's states as scores of words, and what they cost against labels, which the decoder reads shifted."""
        if labels is not None:
            if self.drops_cache:
                use_cache = False
            if decoder_input_ids is None and decoder_inputs_embeds is None:
                decoder_input_ids = self.prepare_decoder_input_ids_from_labels(labels)
        outputs = self.model(
            inputs,
            decoder_input_ids=decoder_input_ids,
            decoder_inputs_embeds=decoder_inputs_embeds,
            use_cache=use_cache,
            **kwargs,
        )
        logits = self.score(outputs[0])
        loss = self.cost(logits, labels)
        result = passed_on(Seq2SeqLMOutput, outputs, loss=loss, logits=logits)
        return result.to_tuple() if return_dict is False else result


class SequenceClassification(SequenceScores, Seq2SeqHead):
    def build(self, config: PreTrainedConfig) -> None:
        self.classification_head = ClassificationHead(config.d_model, config.num_labels, config.classifier_dropout)

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        if labels is not None:
            use_cache = False
        outputs = self.model(input_ids, attention_mask=attention_mask, use_cache=use_cache, **kwargs)
        return self.classified(outputs, input_ids, labels, return_dict)


class QuestionAnswering(Seq2SeqHead):
    def __init__(self, config: PreTrainedConfig) -> None:
        config.num_labels = 2
        super().__init__(config)

    def build(self, config: PreTrainedConfig) -> None:
        self.num_labels = config.num_labels
        self.qa_outputs = nn.Linear(config.hidden_size, config.num_labels)

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        start_positions: Tensor | None = None,
        end_positions: Tensor | None = None,
        use_cache: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        if start_positions is not None and end_positions is not None:
            use_cache = False
        outputs = self.model(input_ids, attention_mask=attention_mask, use_cache=use_cache, **kwargs)
        states = outputs[0]
        logits = self.qa_outputs(states)
        start, end = start_and_end(logits)
        loss = question_answering_loss(start, end, start_positions, end_positions)
        result = passed_on(Seq2SeqQuestionAnsweringModelOutput, outputs, loss=loss, start_logits=start, end_logits=end)
        return result.to_tuple() if return_dict is False else result


class DecoderWrapper(PreTrainedModel):
    """A decoder under the name that it has in the whole model."""

    decoder_class = Seq2SeqDecoder

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.decoder = self.decoder_class(config)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.decoder.embed_tokens

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.decoder(*args, **kwargs)


class CausalLM(PreTrainedModel):
    """The decoder alone."""

    tied = {"lm_head.weight": "model.decoder.embed_tokens.weight"}
    head_name = "lm_head"
    wrapper_class = DecoderWrapper

    def __init__(self, config: PreTrainedConfig) -> None:
        config = copy.copy(config)
        config.is_decoder = True
        config.is_encoder_decoder = False
        super().__init__(config)
        self.model = self.wrapper_class(config)
        setattr(self, self.head_name, nn.Linear(config.hidden_size, config.vocab_size, bias=False))
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.model.get_input_embeddings()

    def get_output_embeddings(self) -> torch.nn.Module | None:
        return getattr(self, self.head_name)

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        logits_to_keep: int = 0,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.model.decoder(input_ids=input_ids, **kwargs)
        states = outputs[0]
        kept = slice(-logits_to_keep, None) if isinstance(logits_to_keep, int) else logits_to_keep
        logits = self.get_output_embeddings()(states[:, kept, :])
        loss = word_loss(logits, labels)
        result = passed_on(CausalLMOutputWithCrossAttentions, outputs, loss=loss, logits=logits)
        return result.to_tuple() if return_dict is False else result


HEADS = {
    "AutoModelForSeq2SeqLM": ("ForConditionalGeneration", ConditionalGeneration),
    "AutoModelForCausalLM": ("ForCausalLM", CausalLM),
    "AutoModelForSequenceClassification": ("ForSequenceClassification", SequenceClassification),
    "AutoModelForQuestionAnswering": ("ForQuestionAnswering", QuestionAnswering),
}


def family(
    prefix: str,
    config: PreTrainedConfig,
    module: torch.nn.Module,
    *,
    encoder: Any,
    decoder: Any,
    model: Any = Seq2SeqModel,
    model_fields: Any = None,
    heads: int = (),
    also: tuple = (),
    lm_fields: Any = None,
    causal_fields: Any = None,
) -> dict[str, type]:
    """
    Makes the classes of an encoder-decoder family and registers them.

    `heads` are those of HEADS that the family has, as Auto classes; `also` further Auto classes that lead to the model with a
    language head. The fields are class attributes of the model, of that with a language head, and of the decoder alone.
    """
    here = {"__module__": module}
    made = type(
        f"{prefix}Model", (model,), {"encoder_class": encoder, "decoder_class": decoder, **(model_fields or {}), **here}
    )
    wrapper = type(f"{prefix}DecoderWrapper", (DecoderWrapper,), {"decoder_class": decoder, **here})
    own = {
        "AutoModelForSeq2SeqLM": lm_fields or {},
        "AutoModelForCausalLM": {"wrapper_class": wrapper, **(causal_fields or {})},
    }
    classes = {"AutoModel": made}
    for auto in heads:
        ending, kind = HEADS[auto]
        classes[auto] = type(prefix + ending, (kind,), {"model_class": made, **here, **own.get(auto, {})})
    for auto in also:
        classes[auto] = classes["AutoModelForSeq2SeqLM"]
    register(config, **classes)
    register_classes(type(f"{prefix}PreTrainedModel", (PreTrainedModel,), {"config_class": config, **here}))
    return classes
