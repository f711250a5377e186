"""owlvit: clip's two encoders; each patch is compared with texts by one head and given a box by another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import PreTrainedModel, register, register_classes
from ..modeling_outputs import CLIPOutput, output_class
from ..cores.vision import VisionModelBase
from .clip import CLIPModel, both_ways
from .clip_towers import CLIPTextConfig, CLIPTextModel, CLIPVisionConfig, CLIPVisionModel

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


OwlViTObjectDetectionOutput = output_class(
    "OwlViTObjectDetectionOutput",
    "loss loss_dict logits pred_boxes text_embeds image_embeds class_embeds text_model_output vision_model_output",
)


class OwlViTTextConfig(CLIPTextConfig):
    model_type = "owlvit_text_model"
    max_position_embeddings = 16
    pad_token_id = 0
    initializer_range = 0.02


class OwlViTVisionConfig(CLIPVisionConfig):
    model_type = "owlvit_vision_model"
    image_size = 768
    initializer_range = 0.02


class OwlViTConfig(PreTrainedConfig):
    model_type = "owlvit"
    sub_configs = {"text_config": OwlViTTextConfig, "vision_config": OwlViTVisionConfig}
    projection_dim = 512
    logit_scale_init_value = 2.6592
    initializer_factor = 1.0


class OwlViTTextTransformer(CLIPTextModel):
    base_model_prefix = "owlvit"

    def build(self, config: PreTrainedConfig) -> None:
        # the end of a text is its highest token number, whatever the config says
        self.eos_token_id = 2


class OwlViTVisionTransformer(CLIPVisionModel):
    base_model_prefix = "owlvit"
    first_norm = "pre_layernorm"

    def forward(self, pixel_values: Tensor, **kwargs: Any) -> tuple | ModelOutput:
        pixel_values = pixel_values.to(self.embeddings.patch_embedding.weight.dtype)
        return super().forward(pixel_values, **kwargs)


class OwlViTTextModel(PreTrainedModel):
    base_model_prefix = "owlvit"

    def __init__(self, config: OwlViTTextConfig) -> None:
        super().__init__(config)
        self.text_model = OwlViTTextTransformer(config)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.text_model.get_input_embeddings()

    def forward(
        self, input_ids: Tensor | None = None, attention_mask: Tensor | None = None, **kwargs: Any
    ) -> tuple | ModelOutput:
        return self.text_model(input_ids=input_ids, attention_mask=attention_mask, **kwargs)


class OwlViTVisionModel(VisionModelBase):
    base_model_prefix = "owlvit"

    def __init__(self, config: OwlViTVisionConfig) -> None:
        super().__init__(config)
        self.vision_model = OwlViTVisionTransformer(config)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.vision_model.get_input_embeddings()

    def forward(
        self, pixel_values: Tensor | None = None, interpolate_pos_encoding: bool = False, **kwargs: Any
    ) -> ModelOutput:
        return self.vision_model(pixel_values=pixel_values, interpolate_pos_encoding=interpolate_pos_encoding, **kwargs)


class OwlViTModel(CLIPModel):
    base_model_prefix = "owlvit"

    def __init__(self, config: OwlViTConfig) -> None:
        PreTrainedModel.__init__(self, config)
        text, vision = config.text_config, config.vision_config
        self.text_model = OwlViTTextTransformer(text)
        self.vision_model = OwlViTVisionTransformer(vision)
        self.visual_projection = nn.Linear(vision.hidden_size, config.projection_dim, bias=False)
        self.text_projection = nn.Linear(text.hidden_size, config.projection_dim, bias=False)
        self.logit_scale = nn.Parameter(torch.tensor(config.logit_scale_init_value))
        self.post_init()

    def forward(
        self,
        input_ids: Tensor | None = None,
        pixel_values: Tensor | None = None,
        attention_mask: Tensor | None = None,
        return_loss: bool | None = None,
        interpolate_pos_encoding: bool = False,
        return_base_image_embeds: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> tuple | ModelOutput:
        seen = self.vision_model(pixel_values=pixel_values, interpolate_pos_encoding=interpolate_pos_encoding, **kwargs)
        read = self.text_model(input_ids=input_ids, attention_mask=attention_mask, **kwargs)
        texts = read.pooler_output
        texts = self.text_projection(texts)
        images = seen.pooler_output
        images = self.visual_projection(images)
        images = images / torch.linalg.norm(images, ord=2, dim=-1, keepdim=True)
        normed = texts / torch.linalg.norm(texts, ord=2, dim=-1, keepdim=True)
        scale = self.logit_scale.exp().to(images.device)
        by_text = torch.matmul(normed, images.t()) * scale
        by_image = by_text.t()
        loss = None
        if return_loss:
            loss = both_ways(by_text)
        texts = normed
        return CLIPOutput(
            loss=loss,
            logits_per_image=by_image,
            logits_per_text=by_text,
            text_embeds=texts,
            image_embeds=images,
            text_model_output=read,
            vision_model_output=seen,
        )


class BoxHead(nn.Module):
    def __init__(self, config: PreTrainedConfig, count: int = 4) -> None:
        super().__init__()
        width = config.vision_config.hidden_size
        self.dense0 = nn.Linear(width, width)
        self.dense1 = nn.Linear(width, width)
        self.gelu = nn.GELU()
        self.dense2 = nn.Linear(width, count)

    def forward(self, states: Tensor) -> Any:
        output = self.dense0(states)
        output = self.gelu(output)
        output = self.dense1(output)
        output = self.gelu(output)
        output = self.dense2(output)
        return output


class ClassHead(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.query_dim = config.vision_config.hidden_size
        self.dense0 = nn.Linear(self.query_dim, config.text_config.hidden_size)
        self.logit_shift = nn.Linear(self.query_dim, 1)
        self.logit_scale = nn.Linear(self.query_dim, 1)
        self.elu = nn.ELU()

    def forward(self, images: Any, texts: Any, mask: Tensor | None) -> tuple:
        found = self.dense0(images)
        found = found / (torch.linalg.norm(found, dim=-1, keepdim=True) + 1e-6)
        texts = texts / (torch.linalg.norm(texts, dim=-1, keepdim=True) + 1e-6)
        logits = torch.einsum("...pd,...qd->...pq", found, texts)
        shift = self.logit_shift(images)
        scale = self.logit_scale(images)
        scale = self.elu(scale) + 1
        logits = (logits + shift) * scale
        if mask is not None:
            if mask.ndim > 1:
                mask = torch.unsqueeze(mask, dim=-2)
            logits = torch.where(mask == 0, torch.finfo(logits.dtype).min, logits)
            logits = logits.to(torch.float32)
        return logits, found


class OwlViTForObjectDetection(PreTrainedModel):
    base_model_prefix = "owlvit"

    def __init__(self, config: OwlViTConfig) -> None:
        super().__init__(config)
        vision = config.vision_config
        self.owlvit = OwlViTModel(config)
        self.class_head = ClassHead(config)
        self.box_head = BoxHead(config)
        self.layer_norm = nn.LayerNorm(vision.hidden_size, eps=vision.layer_norm_eps)
        self.sigmoid = nn.Sigmoid()
        self.side = side = vision.image_size // vision.patch_size
        # where the box of each patch starts from: its place and size
        self.register_buffer("box_bias", torch.zeros(side * side, 4), persistent=False)
        self.post_init()

    def embed(self, input_ids: Tensor, pixel_values: Tensor, attention_mask: Tensor | None, **kwargs: Any) -> tuple:
        """Texts, patches of images [batch, rows, columns, size], and what the model gives."""
        outputs = self.owlvit(pixel_values=pixel_values, input_ids=input_ids, attention_mask=attention_mask, **kwargs)
        last = outputs.vision_model_output[0]
        images = self.owlvit.vision_model.post_layernorm(last)
        first = torch.broadcast_to(images[:, :1, :], images[:, :-1].shape)
        images = images[:, 1:, :] * first
        images = self.layer_norm(images)
        images = images.reshape(images.shape[0], self.side, self.side, images.shape[-1])
        return outputs.text_embeds, images, outputs

    def boxes(self, states: Tensor) -> Any:
        boxes = self.box_head(states)
        boxes += self.box_bias.to(states.device)
        boxes = self.sigmoid(boxes)
        return boxes

    def image_guided_detection(self, *args: Any, **kwargs: Any) -> ModelOutput:
        raise NotImplementedError("vramscope does not have owlvit's search by an image, only that by texts.")

    def forward(
        self,
        input_ids: Tensor,
        pixel_values: Tensor,
        attention_mask: Tensor | None = None,
        interpolate_pos_encoding: bool = False,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> ModelOutput:
        if interpolate_pos_encoding:
            raise NotImplementedError(
                "vramscope does not have owlvit's boxes for images of another size than the config's."
            )
        texts, patches, outputs = self.embed(input_ids, pixel_values, attention_mask, **kwargs)
        batch, rows, columns, size = patches.shape
        states = torch.reshape(patches, (batch, rows * columns, size))
        queries = input_ids.shape[0] // batch
        texts = texts.reshape(batch, queries, texts.shape[-1])
        input_ids = input_ids.reshape(batch, queries, input_ids.shape[-1])
        mask = input_ids[..., 0] > 0
        logits, classes = self.class_head(states, texts, mask)
        boxes = self.boxes(states)
        return OwlViTObjectDetectionOutput(
            logits=logits,
            pred_boxes=boxes,
            text_embeds=texts,
            image_embeds=patches,
            class_embeds=classes,
            text_model_output=outputs.text_model_output,
            vision_model_output=outputs.vision_model_output,
        )


register(OwlViTTextConfig)
register(OwlViTVisionConfig)
register(OwlViTConfig, AutoModel=OwlViTModel, AutoModelForZeroShotObjectDetection=OwlViTForObjectDetection)
register_classes(OwlViTTextModel, OwlViTVisionModel)
