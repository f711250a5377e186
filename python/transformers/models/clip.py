"""clip: an encoder of images and one of texts, whose pooled states are compared by cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import PreTrainedModel, register, register_classes
from ..modeling_outputs import CLIPOutput, CLIPTextModelOutput, CLIPVisionModelOutput
from ..cores.vision import ImageClassifier, VisionModelBase
from .clip_towers import CLIPTextConfig, CLIPTextModel, CLIPVisionConfig, CLIPVisionModel

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


class CLIPConfig(PreTrainedConfig):
    model_type = "clip"
    sub_configs = {"text_config": CLIPTextConfig, "vision_config": CLIPVisionConfig}
    projection_dim = 512
    logit_scale_init_value = 2.6592

    def _adopt(self, name, kind, value):
        # published files may carry the fields of a part under a second name
        more = self.__dict__.pop(f"{name}_dict", None)
        if more is not None:
            value = {**(value if isinstance(value, dict) else {}), **more}
        super()._adopt(name, kind, value)


def _length(vectors):
    """Lengths [batch, 1] of vectors [batch, size], by powers."""
    squares = torch.pow(vectors, 2)
    sums = torch.sum(squares, dim=-1, keepdim=True)
    return torch.pow(sums, 0.5)


def _contrastive_loss(logits):
    return F.cross_entropy(logits, torch.arange(len(logits), device=logits.device))


def both_ways(similarity: Any) -> Any:
    by_text = _contrastive_loss(similarity)
    by_image = _contrastive_loss(similarity.T)
    return (by_text + by_image) / 2.0


class CLIPModel(PreTrainedModel):
    base_model_prefix = "clip"

    def __init__(self, config: CLIPConfig) -> None:
        super().__init__(config)
        text, vision = config.text_config, config.vision_config
        self.text_model = CLIPTextModel(text)
        self.vision_model = CLIPVisionModel(vision)
        self.visual_projection = nn.Linear(vision.hidden_size, config.projection_dim, bias=False)
        self.text_projection = nn.Linear(text.hidden_size, config.projection_dim, bias=False)
        self.logit_scale = nn.Parameter(torch.tensor(config.logit_scale_init_value))
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.text_model.get_input_embeddings()

    def get_text_features(
        self, input_ids: Tensor, attention_mask: Tensor | None = None, position_ids: Tensor | None = None, **kwargs: Any
    ) -> tuple | ModelOutput:
        outputs = self.text_model(
            input_ids=input_ids, attention_mask=attention_mask, position_ids=position_ids, **kwargs
        )
        pooled = outputs.pooler_output
        outputs.pooler_output = self.text_projection(pooled)
        return outputs

    def get_image_features(
        self, pixel_values: Tensor, interpolate_pos_encoding: bool = False, **kwargs: Any
    ) -> tuple | ModelOutput:
        outputs = self.vision_model(
            pixel_values=pixel_values, interpolate_pos_encoding=interpolate_pos_encoding, **kwargs
        )
        pooled = outputs.pooler_output
        outputs.pooler_output = self.visual_projection(pooled)
        return outputs

    def forward(
        self,
        input_ids: Tensor | None = None,
        pixel_values: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        return_loss: bool | None = None,
        interpolate_pos_encoding: bool = False,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> ModelOutput:
        seen = self.get_image_features(
            pixel_values=pixel_values, interpolate_pos_encoding=interpolate_pos_encoding, **kwargs
        )
        read = self.get_text_features(
            input_ids=input_ids, attention_mask=attention_mask, position_ids=position_ids, **kwargs
        )
        images = seen.pooler_output
        texts = read.pooler_output
        images = images / _length(images)
        texts = texts / _length(texts)
        by_text = torch.matmul(texts, images.t().to(texts.device))
        by_text = by_text * self.logit_scale.exp().to(texts.device)
        by_image = by_text.t()
        loss = None
        if return_loss:
            loss = both_ways(by_text)
        return CLIPOutput(
            loss=loss,
            logits_per_image=by_image,
            logits_per_text=by_text,
            text_embeds=texts,
            image_embeds=images,
            text_model_output=read,
            vision_model_output=seen,
        )


class CLIPTextModelWithProjection(PreTrainedModel):
    base_model_prefix = "clip"

    def __init__(self, config: CLIPTextConfig) -> None:
        super().__init__(config)
        self.text_model = CLIPTextModel(config)
        self.text_projection = nn.Linear(config.hidden_size, config.projection_dim, bias=False)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.text_model.get_input_embeddings()

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> ModelOutput:
        outputs = self.text_model(
            input_ids=input_ids, attention_mask=attention_mask, position_ids=position_ids, **kwargs
        )
        pooled = outputs.pooler_output
        embeds = self.text_projection(pooled)
        return CLIPTextModelOutput(
            text_embeds=embeds, last_hidden_state=outputs.last_hidden_state, hidden_states=outputs.hidden_states
        )


class CLIPVisionModelWithProjection(VisionModelBase):
    base_model_prefix = "clip"

    def __init__(self, config: CLIPVisionConfig) -> None:
        super().__init__(config)
        self.vision_model = CLIPVisionModel(config)
        self.visual_projection = nn.Linear(config.hidden_size, config.projection_dim, bias=False)
        self.post_init()

    def forward(
        self,
        pixel_values: Tensor | None = None,
        interpolate_pos_encoding: bool = False,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> ModelOutput:
        outputs = self.vision_model(
            pixel_values=pixel_values, interpolate_pos_encoding=interpolate_pos_encoding, **kwargs
        )
        pooled = outputs.pooler_output
        embeds = self.visual_projection(pooled)
        return CLIPVisionModelOutput(
            image_embeds=embeds, last_hidden_state=outputs.last_hidden_state, hidden_states=outputs.hidden_states
        )


class TowerClassifier(ImageClassifier):
    """A classifier over the encoder of images alone, of the mean of its patches."""

    model_class = CLIPVisionModel
    special = 1

    def make_model(self, config: PreTrainedConfig) -> torch.nn.Module:
        return self.model_class(config.vision_config)

    @property
    def base_model(self) -> Any:
        return self.vision_model

    def width(self, config: PreTrainedConfig) -> Any:
        return config.vision_config.hidden_size

    def feature(self, outputs: Any) -> Any:
        return torch.mean(outputs.last_hidden_state[:, self.special :, :], dim=1)


class CLIPForImageClassification(TowerClassifier):
    base_model_prefix = "vision_model"


register(CLIPTextConfig, AutoModel=CLIPTextModel, AutoModelForTextEncoding=CLIPTextModel)
register(CLIPVisionConfig, AutoModel=CLIPVisionModel)
register(
    CLIPConfig,
    AutoModel=CLIPModel,
    AutoModelForImageClassification=CLIPForImageClassification,
    AutoModelForZeroShotImageClassification=CLIPModel,
)
register_classes(CLIPTextModelWithProjection, CLIPVisionModelWithProjection)
