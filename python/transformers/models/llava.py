"""llava: features of a layer before the last, without the class token, through two projections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..activations import ACT2FN
from ..modeling_utils import register
from ..cores.multimodal import ConditionalLM, MultiModalConfig, MultiModalModel

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput
    from transformers.configuration_utils import PreTrainedConfig


CLIP_336 = {
    "intermediate_size": 4096,
    "hidden_size": 1024,
    "patch_size": 14,
    "image_size": 336,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "vocab_size": 32000,
    "projection_dim": 768,
}


class LlavaConfig(MultiModalConfig):
    model_type = "llava"
    attribute_map = {"image_token_id": "image_token_index"}
    _parts = {"text_config": ("llama", {}), "vision_config": ("clip_vision_model", CLIP_336)}
    image_token_index = 32000
    image_seq_length = 576
    projector_hidden_act = "gelu"
    vision_feature_select_strategy = "default"
    vision_feature_layer = -2
    multimodal_projector_bias = True

    def complete(self) -> None:
        self.tie_word_embeddings = self.tie_word_embeddings or self.text_config.tie_word_embeddings


class TwoProjections(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        layer, size = config.vision_feature_layer, config.text_config.hidden_size
        into = config.vision_config.hidden_size * (1 if isinstance(layer, int) else len(layer))
        self.linear_1 = nn.Linear(into, size, bias=config.multimodal_projector_bias)
        self.act = ACT2FN[config.projector_hidden_act]
        self.linear_2 = nn.Linear(size, size, bias=config.multimodal_projector_bias)

    def forward(self, image_features: Tensor) -> Any:
        hidden_states = self.linear_1(image_features)
        hidden_states = self.act(hidden_states)
        hidden_states = self.linear_2(hidden_states)
        return hidden_states


def selected(states: Tensor, layer: torch.nn.Module, strategy: Any) -> Any:
    """The states of one layer, or of several side by side; "default" leaves the class token out."""
    first = 1 if strategy == "default" else 0
    if isinstance(layer, int):
        return states[layer][:, first:] if first else states[layer]
    pool = [states[index][:, first:] if first else states[index] for index in layer]
    return torch.cat(pool, dim=-1)


class LlavaModel(MultiModalModel):
    projector_class = TwoProjections

    def get_image_features(
        self,
        pixel_values: Tensor,
        vision_feature_layer: int | list[int] | None = None,
        vision_feature_select_strategy: str | None = None,
        image_sizes: Any = None,
        **kwargs: Any,
    ) -> tuple | ModelOutput:
        config = self.config
        layer = config.vision_feature_layer if vision_feature_layer is None else vision_feature_layer
        strategy = vision_feature_select_strategy or config.vision_feature_select_strategy
        outputs = self.vision_tower(pixel_values, output_hidden_states=True, **kwargs)
        chosen = selected(outputs.hidden_states, layer, strategy)
        features = self.multi_modal_projector(chosen)
        outputs.pooler_output = list(features)
        return outputs

    def gather(self, features: Any) -> Any:
        return torch.cat(features, dim=0)


class LlavaForConditionalGeneration(ConditionalLM):
    model_class = LlavaModel
    image_arguments = ("vision_feature_layer", "vision_feature_select_strategy", "image_sizes")


register(
    LlavaConfig,
    AutoModel=LlavaModel,
    AutoModelForImageTextToText=LlavaForConditionalGeneration,
    AutoModelForMultimodalLM=LlavaForConditionalGeneration,
)
