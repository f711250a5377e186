"""paligemma: Gemma after SigLIP, one projection between them, positions that count from one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..masking_utils import create_causal_mask, create_sliding_window_causal_mask
from ..modeling_utils import register
from ..cores.multimodal import ConditionalLM, MultiModalConfig, MultiModalModel, positions_after

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput
    from transformers.configuration_utils import PreTrainedConfig


SIGLIP_SO = {
    "intermediate_size": 4096,
    "hidden_size": 1152,
    "patch_size": 14,
    "image_size": 224,
    "num_hidden_layers": 27,
    "num_attention_heads": 16,
    "vocab_size": 257152,
    "vision_use_head": False,
}
GEMMA_2B = {
    "hidden_size": 2048,
    "num_hidden_layers": 18,
    "intermediate_size": 16384,
    "num_attention_heads": 8,
    "num_key_value_heads": 1,
    "vocab_size": 257152,
}


class PaliGemmaConfig(MultiModalConfig):
    model_type = "paligemma"
    attribute_map = {"image_token_id": "image_token_index"}
    _parts = {"text_config": ("gemma", GEMMA_2B), "vision_config": ("siglip_vision_model", SIGLIP_SO)}
    image_token_index = 256000
    vocab_size = 257152
    projection_dim = 2048
    hidden_size = 2048
    tie_word_embeddings = True

    def complete(self) -> None:
        text, vision = self.text_config, self.vision_config
        if text.use_bidirectional_attention is None:
            text.use_bidirectional_attention = True
        text.num_image_tokens = (vision.image_size // vision.patch_size) ** 2
        vision.projection_dim = self.projection_dim


class Projection(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.linear = nn.Linear(config.vision_config.hidden_size, config.vision_config.projection_dim)

    def forward(self, image_features: Tensor) -> Any:
        hidden_states = self.linear(image_features)
        return hidden_states


def without_images(input_ids: Tensor, token: Any, count: int) -> Any:
    """Token numbers in which those of images, if the vocabulary lacks them, are zero."""
    if input_ids is None or token < count:
        return input_ids
    image_mask = input_ids == token
    clean = input_ids.clone()
    clean[image_mask] = 0
    return clean


class PaliGemmaModel(MultiModalModel):
    projector_class = Projection

    def build(self, config: PreTrainedConfig) -> None:
        super().build(config)
        self.vocab_size = config.text_config.vocab_size

    def get_image_features(self, pixel_values: Tensor, **kwargs: Any) -> tuple | ModelOutput:
        outputs = self.vision_tower(pixel_values, **kwargs)
        states = outputs.last_hidden_state
        outputs.pooler_output = self.multi_modal_projector(states)
        return outputs

    def embed_texts(self, input_ids: Tensor) -> Any:
        clean = without_images(input_ids, self.config.image_token_id, self.vocab_size)
        return self.get_input_embeddings()(clean)

    def text_inputs(self, embeds: Tensor, kwargs: Any) -> Any:
        types = kwargs.pop("token_type_ids", None)
        cache = kwargs.get("past_key_values")
        if kwargs.get("position_ids") is None:
            kwargs["position_ids"] = positions_after(embeds, cache) + 1
        text = self.config.get_text_config()
        shared = {
            "config": text,
            "inputs_embeds": embeds,
            "attention_mask": kwargs.get("attention_mask"),
            "past_key_values": cache,
            "position_ids": kwargs["position_ids"],
        }
        first = cache is None or not cache.is_initialized or kwargs["pixel_values"] is not None
        if types is not None and first:
            shared["block_sequence_ids"] = torch.where(types == 0, 0, -1)
        mask = create_causal_mask(**shared)
        if getattr(text, "sliding_window", None) is not None:
            mask = {"full_attention": mask, "sliding_attention": create_sliding_window_causal_mask(**shared)}
        kwargs["attention_mask"] = mask
        return kwargs


class PaliGemmaForConditionalGeneration(ConditionalLM):
    model_class = PaliGemmaModel


register(
    PaliGemmaConfig,
    AutoModel=PaliGemmaModel,
    AutoModelForImageTextToText=PaliGemmaForConditionalGeneration,
    AutoModelForMultimodalLM=PaliGemmaForConditionalGeneration,
)
