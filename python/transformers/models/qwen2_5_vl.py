"""qwen2_5_vl: qwen2_vl whose encoder of images attends within windows, and to whole frames in a few blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ..configuration_utils import PreTrainedConfig
from ..cores.decoder import GatedMLP
from ..cores.capturing import collects
from ..parts.grids import frame_ends, patch_places, windows_of
from ..modeling_utils import register
from ..parts.norms import RMSNorm
from ..modeling_outputs import BaseModelOutputWithPooling
from ..cores.patched_text import PatchedLM, PatchedModel
from ..cores.patched_vision import PatchBlock, PatchedVisionModel
from .qwen2_vl import Qwen2VLConfig, Qwen2VLTextConfig, Qwen2VLTextModel

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


class Qwen2_5_VLVisionConfig(PreTrainedConfig):
    model_type = "qwen2_5_vl_vision"
    depth = 32
    hidden_size = 3584
    hidden_act = "silu"
    intermediate_size = 3420
    num_heads = 16
    in_channels = 3
    patch_size = 14
    spatial_merge_size = 2
    temporal_patch_size = 2
    tokens_per_second = 4
    window_size = 112
    out_hidden_size = 3584
    fullatt_block_indexes = (7, 15, 23, 31)
    initializer_range = 0.02
    mlp_bias = True


class Qwen2_5_VLTextConfig(Qwen2VLTextConfig):
    model_type = "qwen2_5_vl_text"


class Qwen2_5_VLConfig(Qwen2VLConfig):
    model_type = "qwen2_5_vl"
    _parts = {"text_config": ("qwen2_5_vl_text", {}), "vision_config": ("qwen2_5_vl_vision", {})}
    _text_fields = Qwen2_5_VLTextConfig


class Qwen2_5_VLTextModel(Qwen2VLTextModel):
    pass


class Qwen2_5_VLVisionBlock(PatchBlock):
    def norm(self, size: int) -> RMSNorm:
        return RMSNorm(size, eps=1e-6)

    def make_mlp(self, config: PreTrainedConfig, size: int) -> GatedMLP:
        return GatedMLP(config)


class Qwen2_5_VisionTransformerPretrainedModel(PatchedVisionModel):
    block_class = Qwen2_5_VLVisionBlock

    @collects
    def forward(self, hidden_states: Tensor, grid_thw: Tensor | None = None, **kwargs: Any) -> tuple | ModelOutput:
        config, merge = self.config, self.spatial_merge_size
        position_ids = patch_places(grid_thw, merge)
        frames = frame_ends(grid_thw)
        order, windows = windows_of(grid_thw, merge, config.window_size, config.patch_size)
        hidden_states = self.patch_embed(hidden_states)
        length = hidden_states.shape[0]
        squares = (length // merge**2, merge**2, -1)
        hidden_states = hidden_states.reshape(squares)
        hidden_states = hidden_states[order, :, :]
        hidden_states = hidden_states.reshape(length, -1)
        angles = self.rotary_pos_emb(position_ids)
        angles = angles.reshape(squares)
        angles = angles[order, :, :]
        angles = angles.reshape(length, -1)
        both = torch.cat((angles, angles), dim=-1)
        position_embeddings = (both.cos(), both.sin())
        for index, block in enumerate(self.blocks):
            parts = frames if index in config.fullatt_block_indexes else windows
            hidden_states = block(hidden_states, parts=parts, position_embeddings=position_embeddings, **kwargs)
        back = torch.argsort(order)
        merged = self.merger(hidden_states)
        merged = merged[back, :]
        return BaseModelOutputWithPooling(last_hidden_state=hidden_states, pooler_output=merged)


class Qwen2_5_VLModel(PatchedModel):
    def film_interval(self, seconds: Any) -> Any:
        return self.config.vision_config.tokens_per_second * int(next(seconds))


class Qwen2_5_VLForConditionalGeneration(PatchedLM):
    model_class = Qwen2_5_VLModel


register(Qwen2_5_VLVisionConfig, AutoModel=Qwen2_5_VisionTransformerPretrainedModel)
register(Qwen2_5_VLTextConfig, AutoModel=Qwen2_5_VLTextModel)
register(
    Qwen2_5_VLConfig,
    AutoModel=Qwen2_5_VLModel,
    AutoModelForImageTextToText=Qwen2_5_VLForConditionalGeneration,
    AutoModelForMultimodalLM=Qwen2_5_VLForConditionalGeneration,
)
