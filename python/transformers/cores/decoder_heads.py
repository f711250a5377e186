"""Models over a decoder, with their heads, and how a family of them is registered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from ..modeling_utils import PreTrainedModel, register, register_classes
from ..parts.losses import start_and_end
from ..modeling_outputs import (
    CausalLMOutputWithPast,
    QuestionAnsweringModelOutput,
    SequenceClassifierOutputWithPast,
    TokenClassifierOutput,
)
from ..releases import is_past
from .decoder import DecoderModel

if TYPE_CHECKING:
    from typing import Any

    import torch
    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig
    from transformers.cache_utils import Cache


class CausalLM(PreTrainedModel):
    """A decoder with a projection to the vocabulary."""

    tied = {"lm_head.weight": "model.embed_tokens.weight"}
    model_class = DecoderModel
    head_name = "lm_head"
    head_bias = False
    head_in = "hidden_size"

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.vocab_size = config.vocab_size
        setattr(self, self.base_model_prefix, self.model_class(config))
        setattr(self, self.head_name, nn.Linear(getattr(config, self.head_in), config.vocab_size, bias=self.head_bias))
        self.post_init()

    def get_output_embeddings(self) -> torch.nn.Module:
        return getattr(self, self.head_name)

    def logit_steps(self) -> tuple:
        """What a family does to logits before the loss: functions of one operator each, so that no step outlives the next."""
        return ()

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        past_key_values: Cache | None = None,
        inputs_embeds: Tensor | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        logits_to_keep: int = 0,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.base_model(
            input_ids=input_ids,
            attention_mask=attention_mask,
            position_ids=position_ids,
            past_key_values=past_key_values,
            inputs_embeds=inputs_embeds,
            use_cache=use_cache,
            **kwargs,
        )
        hidden_states = outputs.last_hidden_state
        if is_past("whole_logits"):
            logits_to_keep = 0
        kept = slice(-logits_to_keep, None) if isinstance(logits_to_keep, int) else logits_to_keep
        logits = self.get_output_embeddings()(hidden_states[:, kept, :])
        for step in self.logit_steps():
            logits = step(logits)
        if is_past("whole_logits"):
            logits = logits.float()
        loss = None
        if labels is not None:
            loss = self.loss_function(logits=logits, labels=labels, vocab_size=self.config.vocab_size, **kwargs)
        result = self.result(outputs, logits, loss, attention_mask)
        return result.to_tuple() if return_dict is False else result

    def result(self, outputs: Any, logits: Tensor, loss: Tensor, attention_mask: Tensor | None) -> Any:
        return CausalLMOutputWithPast(
            loss=loss,
            logits=logits,
            past_key_values=outputs.past_key_values,
            hidden_states=outputs.hidden_states,
            attentions=outputs.attentions,
        )


class SequenceClassifier(PreTrainedModel):
    """A decoder whose last token that is not padding says the class."""

    output_class = SequenceClassifierOutputWithPast
    model_class = DecoderModel
    head_name = "score"
    head_in = "hidden_size"

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.num_labels = config.num_labels
        setattr(self, self.base_model_prefix, self.model_class(config))
        setattr(self, self.head_name, nn.Linear(getattr(config, self.head_in), self.num_labels, bias=False))
        self.post_init()

    def last_token(self, input_ids: Tensor, logits: Tensor) -> tuple:
        """The place of the last token of each sequence, and what lives as long."""
        import torch

        real = (input_ids != self.config.pad_token_id).to(logits.device, torch.int32)
        token_indices = torch.arange(input_ids.shape[-1], device=logits.device, dtype=torch.int32)
        return (token_indices * real).argmax(-1), real, token_indices

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        past_key_values: Cache | None = None,
        inputs_embeds: Tensor | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        import torch

        outputs = self.base_model(
            input_ids,
            attention_mask=attention_mask,
            position_ids=position_ids,
            past_key_values=past_key_values,
            inputs_embeds=inputs_embeds,
            use_cache=use_cache,
            **kwargs,
        )
        hidden_states = outputs.last_hidden_state
        logits = getattr(self, self.head_name)(hidden_states)
        batch = (input_ids if input_ids is not None else inputs_embeds).shape[0]
        padding = self.config.pad_token_id
        if padding is None and batch != 1:
            raise ValueError("Cannot handle batch sizes > 1 if no padding token is defined.")
        last = -1
        if padding is not None and input_ids is not None:
            last, *_kept = self.last_token(input_ids, logits)
        pooled = logits[torch.arange(batch, device=logits.device), last]
        loss = None
        if labels is not None:
            loss = self.loss_function(logits=logits, labels=labels, pooled_logits=pooled, config=self.config)
        memory = {"past_key_values": outputs.past_key_values} if "past_key_values" in self.output_class.fields else {}
        return self.output_class(
            loss=loss, logits=pooled, **memory, hidden_states=outputs.hidden_states, attentions=outputs.attentions
        )


class TokenClassifier(PreTrainedModel):
    """A decoder that labels every token."""

    model_class = DecoderModel
    head_name = "score"

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.num_labels = config.num_labels
        setattr(self, self.base_model_prefix, self.model_class(config))
        self.dropout = nn.Dropout(self.dropout_of(config))
        setattr(self, self.head_name, nn.Linear(config.hidden_size, config.num_labels))
        self.post_init()

    def dropout_of(self, config: PreTrainedConfig) -> Any:
        """The rate of dropout before the head."""
        rates = (getattr(config, name, None) for name in ("classifier_dropout", "hidden_dropout"))
        return next((rate for rate in rates if rate is not None), 0.1)

    def forward(self, input_ids: Tensor | None = None, labels: Tensor | None = None, **kwargs: Any) -> Any:
        outputs = self.base_model(input_ids, **kwargs)
        states = outputs.last_hidden_state
        states = self.dropout(states)
        logits = getattr(self, self.head_name)(states)
        loss = None
        if labels is not None:
            loss = self.loss_function(logits, labels, self.config)
        return TokenClassifierOutput(
            loss=loss, logits=logits, hidden_states=outputs.hidden_states, attentions=outputs.attentions
        )


class QuestionAnswerer(PreTrainedModel):
    """A decoder that points at the first and last token of an answer."""

    base_model_prefix = "transformer"
    model_class = DecoderModel
    head_in = "hidden_size"

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        setattr(self, self.base_model_prefix, self.model_class(config))
        self.qa_outputs = nn.Linear(getattr(config, self.head_in), 2)
        self.post_init()

    def forward(
        self,
        input_ids: Tensor | None = None,
        start_positions: Tensor | None = None,
        end_positions: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.base_model(input_ids, **kwargs)
        states = outputs.last_hidden_state
        logits = self.qa_outputs(states)
        start, end = start_and_end(logits)
        loss = None
        if start_positions is not None and end_positions is not None:
            loss = self.loss_function(start, end, start_positions, end_positions)
        return QuestionAnsweringModelOutput(
            loss=loss,
            start_logits=start,
            end_logits=end,
            hidden_states=outputs.hidden_states,
            attentions=outputs.attentions,
        )


def family(
    prefix: str,
    config: PreTrainedConfig,
    module: torch.nn.Module,
    *,
    model: Any = DecoderModel,
    lm: Any = CausalLM,
    layer: torch.nn.Module | None = None,
    rotary: Any = None,
    lm_fields: Any = None,
    heads: bool = True,
    **fields: Any,
) -> dict[str, type]:
    """
    Makes the classes of a decoder family, registers them, and puts them into its module.

    `layer` and `rotary` are the classes that the model is made of; `fields` are class attributes of the model, `lm_fields`
    those of the model with a language head. `heads` says whether there are classifiers too.
    """
    fields = {**fields, **({"layer_class": layer} if layer else {}), **({"rotary_class": rotary} if rotary else {})}
    fields["__module__"] = module
    made = type(f"{prefix}Model", (model,), fields)
    kinds = {"AutoModel": made}
    own = {"model_class": made, "__module__": module}
    kinds["AutoModelForCausalLM"] = type(f"{prefix}ForCausalLM", (lm,), {**own, **(lm_fields or {})})
    if heads:
        for ending, kind in (
            ("ForSequenceClassification", SequenceClassifier),
            ("ForTokenClassification", TokenClassifier),
            ("ForQuestionAnswering", QuestionAnswerer),
        ):
            kinds[f"AutoModel{ending}"] = type(f"{prefix}{ending}", (kind,), dict(own))
    register(config, **kinds)
    base = type(f"{prefix}PreTrainedModel", (PreTrainedModel,), {"config_class": config, "__module__": module})
    register_classes(base)
    return kinds
