"""llava_next: llava whose images are cut into tiles, put together again behind a view of the whole, with a token per line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..modeling_utils import register
from ..cores.multimodal import ConditionalLM
from .llava import LlavaConfig, LlavaModel, selected

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput
    from transformers.configuration_utils import PreTrainedConfig


class LlavaNextConfig(LlavaConfig):
    model_type = "llava_next"
    image_grid_pinpoints = None

    def complete(self) -> None:
        if self.image_grid_pinpoints is None:
            self.image_grid_pinpoints = [[336, 672], [672, 336], [672, 672], [1008, 336], [336, 1008]]


def best_grid(size: int, choices: Any) -> Any:
    """The (height, width) among `choices` that keeps most of an image, and of those the one that wastes least."""
    height, width = (int(side) for side in (size.tolist() if isinstance(size, torch.Tensor) else size))

    def merit(choice):
        scale = min(choice[1] / width, choice[0] / height)
        kept = min(int(width * scale) * int(height * scale), width * height)
        return kept, kept - choice[0] * choice[1]

    return max(choices, key=merit)


def unpadded(tensor: Tensor, size: int) -> Any:
    """Features [channels, height, width] without the rows or columns that padding added to an image of `size`."""
    height, width = (int(side) for side in (size.tolist() if isinstance(size, torch.Tensor) else size))
    now_height, now_width = tensor.shape[1:]
    if width / height > now_width / now_height:
        cut = (now_height - int(round(height * (now_width / width), 7))) // 2
        return tensor[:, cut : now_height - cut, :]
    cut = (now_width - int(round(width * (now_height / height), 7))) // 2
    return tensor[:, :, cut : now_width - cut]


class LlavaNextModel(LlavaModel):
    def build(self, config: PreTrainedConfig) -> None:
        self.image_newline = None
        super().build(config)
        self.image_newline = nn.Parameter(torch.empty(config.text_config.hidden_size))

    def pack(self, feature: Any, size: int) -> Any:
        """One image's features [tiles, patches, size] as a sequence [tokens, size]."""
        line = self.image_newline
        if feature.shape[0] == 1:
            feature = feature[0]
            return torch.cat((feature, line[None].to(feature)), dim=0)
        vision = self.config.vision_config
        side = vision.image_size // vision.patch_size
        rows, columns = (length // vision.image_size for length in best_grid(size, self.config.image_grid_pinpoints))
        whole = feature[0]
        feature = feature[1:]
        feature = feature.view(rows, columns, side, side, -1)
        feature = feature.permute(4, 0, 2, 1, 3).contiguous()
        feature = feature.flatten(1, 2).flatten(2, 3)
        feature = unpadded(feature, size)
        ends = line[:, None, None].expand(*feature.shape[:-1], 1).to(feature.device, feature.dtype)
        feature = torch.cat((feature, ends), dim=-1)
        feature = feature.flatten(1, 2).transpose(0, 1)
        return torch.cat((whole, feature), dim=0)

    def get_image_features(
        self,
        pixel_values: Tensor,
        image_sizes: Tensor,
        vision_feature_layer: int | list[int] | None = None,
        vision_feature_select_strategy: str | None = None,
        **kwargs: Any,
    ) -> tuple | ModelOutput:
        config = self.config
        layer = config.vision_feature_layer if vision_feature_layer is None else vision_feature_layer
        strategy = vision_feature_select_strategy or config.vision_feature_select_strategy
        tile = config.vision_config.image_size
        grids = [best_grid(size, config.image_grid_pinpoints) for size in image_sizes]
        counts = [-(-height // tile) * -(-width // tile) + 1 for height, width in grids]
        if pixel_values.dim() == 5:
            tiles = [values[:count] for values, count in zip(pixel_values, counts)]
            pixel_values = torch.cat(tiles, dim=0)
        elif pixel_values.dim() != 4:
            raise ValueError(f"pixel_values of shape {pixel_values.shape}, expect to be of 4 or 5 dimensions")
        outputs = self.vision_tower(pixel_values, output_hidden_states=True, **kwargs)
        chosen = selected(outputs.hidden_states, layer, strategy)
        features = self.multi_modal_projector(chosen)
        features = torch.split(features, counts, dim=0)
        features = [self.pack(feature, size) for feature, size in zip(features, image_sizes)]
        outputs.pooler_output = features
        return outputs


class LlavaNextForConditionalGeneration(ConditionalLM):
    model_class = LlavaNextModel
    image_arguments = ("image_sizes", "vision_feature_layer", "vision_feature_select_strategy")


register(
    LlavaNextConfig,
    AutoModel=LlavaNextModel,
    AutoModelForImageTextToText=LlavaNextForConditionalGeneration,
    AutoModelForMultimodalLM=LlavaNextForConditionalGeneration,
)
