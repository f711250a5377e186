"""Language models that see: an encoder of images, a projection of its features, which take the places of image tokens in a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..configuration_utils import PreTrainedConfig, config_class
from ..modeling_utils import PreTrainedModel, _auto
from ..modeling_outputs import CausalLMOutputWithImages, ModelOutputWithImages

if TYPE_CHECKING:
    from typing import Any, NoReturn

    from torch import Tensor
    from transformers.cache_utils import Cache


class MultiModalConfig(PreTrainedConfig):
    """`parts` gives, for each field that is a config, the model type and the fields that it has if nothing is said."""

    _parts = {}
    sub_configs = {"text_config": None, "vision_config": None}
    tie_word_embeddings = False

    def _adopt(self, name, kind, value):
        model_type, fields = self._parts[name]
        if isinstance(value, dict):
            value = config_class(value.get("model_type", model_type))(**value)
        elif value is None:
            value = config_class(model_type)(**fields)
        setattr(self, name, value)


def make_part(config: PreTrainedConfig) -> Any:
    """The model of a config, without a head."""
    return _auto("AutoModel").from_config(config)


def is_image(model: Any, input_ids: Tensor, embeds: Tensor, token: Any) -> Any:
    """Where images go: a boolean for each token [batch, length]."""
    if input_ids is not None:
        return input_ids == token
    number = torch.tensor(token, dtype=torch.long, device=embeds.device)
    image_mask = embeds == model.get_input_embeddings()(number)
    return image_mask.all(-1)


def image_places(model: Any, input_ids: Tensor, embeds: Tensor, features: Any, token: Any) -> Any:
    """Where images go [batch, length, 1]; the device is asked whether there are as many places as features."""
    image_mask = is_image(model, input_ids, embeds, token)
    count = image_mask.sum()
    image_mask = image_mask.unsqueeze(-1).to(embeds.device)
    fits = count * embeds.shape[-1] == features.numel()
    fits.all().item()
    return image_mask


class MultiModalModel(PreTrainedModel):
    """`project` turns what the encoder gives into features; `embed_texts` and `read` are where families differ."""

    projector_class = None
    output_class = ModelOutputWithImages

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.build(config)
        self.post_init()

    def build(self, config: PreTrainedConfig) -> None:
        self.vision_tower = make_part(config.vision_config)
        self.multi_modal_projector = self.projector_class(config)
        self.language_model = make_part(config.text_config)

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.language_model.get_input_embeddings()

    def get_image_features(self, pixel_values: Tensor, **kwargs: Any) -> NoReturn:
        """The encoder's output, whose `pooler_output` are the projected features."""
        raise NotImplementedError

    def gather(self, features: Any) -> Any:
        """Features as one tensor."""
        return features

    def embed_texts(self, input_ids: Tensor) -> Any:
        return self.get_input_embeddings()(input_ids)

    def text_inputs(self, embeds: Tensor, kwargs: Any) -> Any:
        """Keyword arguments of the language model, from those of the model."""
        return kwargs

    def forward(
        self,
        input_ids: Tensor | None = None,
        pixel_values: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        image_options: Any = None,
        return_dict: bool | None = None,
        labels: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You must specify exactly one of input_ids or inputs_embeds")
        if inputs_embeds is None:
            inputs_embeds = self.embed_texts(input_ids)
        features = None
        if pixel_values is not None:
            features = self.get_image_features(pixel_values, **(image_options or {})).pooler_output
            features = self.gather(features).to(inputs_embeds.device, inputs_embeds.dtype)
            image_mask = image_places(self, input_ids, inputs_embeds, features, self.config.image_token_id)
            inputs_embeds = inputs_embeds.masked_scatter(image_mask, features)
        text_kwargs = self.text_inputs(inputs_embeds, {"pixel_values": pixel_values, **kwargs})
        text_kwargs.pop("pixel_values", None)
        outputs = self.language_model(inputs_embeds=inputs_embeds, **text_kwargs)
        return self.output_class(
            last_hidden_state=outputs.last_hidden_state,
            past_key_values=outputs.past_key_values,
            hidden_states=outputs.hidden_states,
            attentions=outputs.attentions,
            image_hidden_states=features,
        )


class ConditionalLM(PreTrainedModel):
    """Tokens that follow a text with images."""

    tied = {"lm_head.weight": "model.language_model.embed_tokens.weight"}
    model_class = MultiModalModel
    # arguments that are about images, and those that go to the loss
    image_arguments = ()
    # what else of the model's outputs is passed on
    passed_on = ("image_hidden_states",)
    output_class = CausalLMOutputWithImages

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.model = self.model_class(config)
        self.lm_head = nn.Linear(config.text_config.hidden_size, config.text_config.vocab_size, bias=False)
        self.post_init()

    def get_image_features(self, pixel_values: Tensor, **kwargs: Any) -> Any:
        return self.model.get_image_features(pixel_values, **kwargs)

    def language_loss(self, logits: Tensor, labels: Tensor, attention_mask: Tensor | None, **kwargs: Any) -> Any:
        return self.loss_function(logits=logits, labels=labels, vocab_size=self.config.text_config.vocab_size, **kwargs)

    def forward(
        self,
        input_ids: Tensor | None = None,
        pixel_values: Tensor | None = None,
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
        image_options = {name: kwargs.pop(name) for name in self.image_arguments if name in kwargs}
        outputs = self.model(
            input_ids=input_ids,
            pixel_values=pixel_values,
            attention_mask=attention_mask,
            position_ids=position_ids,
            past_key_values=past_key_values,
            inputs_embeds=inputs_embeds,
            use_cache=use_cache,
            image_options=image_options,
            **kwargs,
        )
        hidden_states = outputs[0]
        kept = slice(-logits_to_keep, None) if isinstance(logits_to_keep, int) else logits_to_keep
        logits = self.lm_head(hidden_states[:, kept, :])
        loss = None
        if labels is not None:
            loss = self.language_loss(logits, labels, attention_mask, **kwargs)
        result = self.output_class(
            loss=loss,
            logits=logits,
            past_key_values=outputs.past_key_values,
            hidden_states=outputs.hidden_states,
            attentions=outputs.attentions,
            **{name: getattr(outputs, name) for name in self.passed_on},
        )
        return result.to_tuple() if return_dict is False else result


def positions_after(embeds: Tensor, past_key_values: Cache | None) -> Any:
    """Positions [1, length] of tokens that come after those in the memory."""
    seen = past_key_values.get_seq_length() if past_key_values is not None else 0
    positions = torch.arange(embeds.shape[1], device=embeds.device) + seen
    return positions.unsqueeze(0)
