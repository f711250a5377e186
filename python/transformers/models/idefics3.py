"""idefics3: smolvlm that fills the places of images in one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..modeling_utils import register
from ..cores.multimodal import is_image
from .smolvlm import SmolVLMConfig, SmolVLMForConditionalGeneration, SmolVLMModel, SmolVLMVisionConfig

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class Idefics3VisionConfig(SmolVLMVisionConfig):
    model_type = "idefics3_vision"


class Idefics3Config(SmolVLMConfig):
    model_type = "idefics3"
    _parts = {**SmolVLMConfig._parts, "vision_config": ("idefics3_vision", {})}


class Idefics3Model(SmolVLMModel):
    keeps_one = False

    def merge(self, input_ids: Tensor, embeds: Tensor, features: Any) -> Any:
        image = is_image(self, input_ids, embeds, self.config.image_token_id)
        image = image.unsqueeze(-1).to(embeds.device)
        features = features.to(embeds.device, embeds.dtype)
        embeds = embeds.masked_scatter(image, features)
        return embeds


class Idefics3ForConditionalGeneration(SmolVLMForConditionalGeneration):
    model_class = Idefics3Model


register(Idefics3VisionConfig)
register(
    Idefics3Config,
    AutoModel=Idefics3Model,
    AutoModelForImageTextToText=Idefics3ForConditionalGeneration,
    AutoModelForMultimodalLM=Idefics3ForConditionalGeneration,
)
