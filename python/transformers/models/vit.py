"""vit: the core of image encoders as it is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from torch import nn
from torch.nn import functional as F

from ..modeling_utils import register
from ..modeling_outputs import MaskedImageModelingOutput
from ..cores.vision import ImageClassifier, VisionConfig, VisionModel, VisionModelBase

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class ViTConfig(VisionConfig):
    model_type = "vit"
    encoder_stride = 16
    pooler_output_size = None
    pooler_act = "tanh"

    def complete(self) -> None:
        self.pooler_output_size = self.pooler_output_size or self.hidden_size


class ViTModel(VisionModel):
    base_model_prefix = "vit"


class ViTForImageClassification(ImageClassifier):
    base_model_prefix = "vit"
    model_class = ViTModel


class MaskedImageModel(VisionModelBase):
    """Makes the image again from an encoding that lacks some of its patches."""

    model_class = ViTModel

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        model = self.model_class(config, add_pooling_layer=False, use_mask_token=True)
        setattr(self, self.base_model_prefix, model)
        values = config.encoder_stride**2 * config.num_channels
        self.decoder = nn.Sequential(
            nn.Conv2d(config.hidden_size, values, kernel_size=1), nn.PixelShuffle(config.encoder_stride)
        )
        self.post_init()

    def patches(self, outputs: Any) -> Any:
        return outputs.last_hidden_state[:, 1:]

    def forward(
        self,
        pixel_values: Tensor | None = None,
        bool_masked_pos: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.base_model(pixel_values, bool_masked_pos=bool_masked_pos, **kwargs)
        states = self.patches(outputs)
        batch, length, size = states.shape
        side = math.floor(length**0.5)
        states = states.permute(0, 2, 1).reshape(batch, size, side, side)
        image = self.decoder(states)
        loss = None
        if bool_masked_pos is not None:
            patch, side = self.config.patch_size, self.config.image_size // self.config.patch_size
            bool_masked_pos = bool_masked_pos.reshape(-1, side, side)
            mask = bool_masked_pos.repeat_interleave(patch, 1).repeat_interleave(patch, 2).unsqueeze(1).contiguous()
            distance = F.l1_loss(pixel_values, image, reduction="none")
            loss = (distance * mask).sum() / (mask.sum() + 1e-5) / self.config.num_channels
        return MaskedImageModelingOutput(loss=loss, reconstruction=image, hidden_states=outputs.hidden_states)


class ViTForMaskedImageModeling(MaskedImageModel):
    base_model_prefix = "vit"


register(
    ViTConfig,
    AutoModel=ViTModel,
    AutoModelForImageClassification=ViTForImageClassification,
    AutoModelForMaskedImageModeling=ViTForMaskedImageModeling,
)
