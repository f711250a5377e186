"""
qwen3_vl: qwen3 that reads images of any size. Rotary angles follow time, height and width, in turn over the channels;
features of a few blocks of the encoder of images are added to the states after the first layers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch._stand_ins import note

from ..cores.capturing import collects
from ..configuration_utils import PreTrainedConfig
from ..cores.decoder import DecoderConfig, DecoderModel
from ..parts.grids import frame_ends, patch_places, table_corners
from ..modeling_utils import register
from ..modeling_outputs import output_class
from ..cores.patched_text import PatchedConfig, PatchedLM, PatchedModel, three_axes
from ..cores.patched_vision import PatchBlock, PatchedVisionModel, PlainMLP
from ..parts.rope import RotaryEmbedding
from .qwen3 import Qwen3DecoderLayer

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.modeling_outputs import ModelOutput


class Qwen3VLVisionConfig(PreTrainedConfig):
    model_type = "qwen3_vl_vision"
    depth = 27
    hidden_size = 1152
    hidden_act = "gelu_pytorch_tanh"
    intermediate_size = 4304
    num_heads = 16
    in_channels = 3
    patch_size = 16
    spatial_merge_size = 2
    temporal_patch_size = 2
    out_hidden_size = 3584
    num_position_embeddings = 2304
    deepstack_visual_indexes = (8, 16, 24)


class Qwen3VLTextConfig(DecoderConfig):
    model_type = "qwen3_vl_text"
    default_theta = 500000.0
    vocab_size = 151936
    intermediate_size = 22016
    num_key_value_heads = 32
    head_dim = 128
    max_position_embeddings = 128000
    # whether weights are tied is the whole model's to say
    tie_word_embeddings = True


class Qwen3VLConfig(PatchedConfig):
    model_type = "qwen3_vl"
    _parts = {"text_config": ("qwen3_vl_text", {}), "vision_config": ("qwen3_vl_vision", {})}


VisionOutput = output_class(
    "BaseModelOutputWithDeepstackFeatures",
    "last_hidden_state pooler_output hidden_states attentions deepstack_features",
)


class InterleavedRotaryEmbedding(RotaryEmbedding):
    """Angles of time, height and width [3, batch, length, half], of which each pair of channels takes one in turn."""

    @torch.no_grad()
    def forward(self, x: Tensor, position_ids: Tensor) -> tuple:
        if position_ids.ndim == 2:
            position_ids = position_ids[None, ...].expand(3, x.shape[0], -1)
        frequencies = self.inv_freq[None, None, :, None].float().expand(3, position_ids.shape[1], -1, 1)
        expanded_ids = position_ids[:, :, None, :].float()
        with torch.autocast(x.device.type, enabled=False):
            angles = (frequencies.float() @ expanded_ids.float()).transpose(2, 3)
            angles = self.interleave(angles)
            both = torch.cat((angles, angles), dim=-1)
            cos = both.cos() * self.attention_scaling
            sin = both.sin() * self.attention_scaling
        return cos.to(dtype=x.dtype), sin.to(dtype=x.dtype)

    def interleave(self, angles: Any) -> Any:
        parts = self.config.rope_parameters.get("mrope_section", [24, 20, 20])
        mixed = angles[0]
        for axis in (1, 2):
            chosen = slice(axis, parts[axis] * 3, 3)
            mixed[..., chosen] = angles[axis, ..., chosen]
        return mixed


class Qwen3VLTextModel(DecoderModel):
    layer_class = Qwen3DecoderLayer
    rotary_class = InterleavedRotaryEmbedding

    def prepare_position_ids(self, position_ids: Tensor, embeds: Tensor, past_key_values: Cache | None) -> Any:
        return three_axes(position_ids, embeds, past_key_values, 4)

    def extras(self, kwargs: Any) -> dict:
        mask, features = kwargs.pop("visual_pos_masks", None), kwargs.pop("deepstack_visual_embeds", None)
        return {} if features is None else {"mask": mask, "features": features}

    def after_layer(self, hidden_states: Tensor, index: int, mask: Tensor | None, features: Any) -> Any:
        """Adds what an early block saw to the states of image tokens."""
        if index >= len(features):
            return hidden_states
        seen = features[index].to(hidden_states.device, hidden_states.dtype)
        hidden_states = hidden_states.clone()
        # which tokens are images depends on data: as many as there are features
        note("image_tokens", "tokens", str(len(seen)))
        indices = torch.nonzero_static(mask, size=len(seen)).unbind(1)
        here = hidden_states[indices] + seen
        hidden_states[indices] = here
        return hidden_states


class Qwen3VLVisionMLP(PlainMLP):
    names = ("linear_fc1", "linear_fc2")


class Qwen3VLVisionBlock(PatchBlock):
    def make_mlp(self, config: PreTrainedConfig, size: int) -> Qwen3VLVisionMLP:
        return Qwen3VLVisionMLP(size, config.intermediate_size, config.hidden_act)


class Qwen3VLPatchMerger(nn.Module):
    def __init__(self, config: PreTrainedConfig, late: bool = False) -> None:
        super().__init__()
        self.hidden_size = size = config.hidden_size * config.spatial_merge_size**2
        self.late = late
        self.norm = nn.LayerNorm(size if late else config.hidden_size, eps=1e-6)
        self.linear_fc1 = nn.Linear(size, size)
        self.act_fn = nn.GELU()
        self.linear_fc2 = nn.Linear(size, config.out_hidden_size)

    def forward(self, x: Tensor) -> Any:
        x = self.norm(x.view(-1, self.hidden_size) if self.late else x).view(-1, self.hidden_size)
        x = self.linear_fc2(self.act_fn(self.linear_fc1(x)))
        return x


class Qwen3VLVisionModel(PatchedVisionModel):
    block_class = Qwen3VLVisionBlock
    patch_bias = True

    def build(self, config: PreTrainedConfig, size: int) -> None:
        self.pos_embed = nn.Embedding(config.num_position_embeddings, size)
        self.side = int(config.num_position_embeddings**0.5)

    def build_mergers(self, config: PreTrainedConfig, size: int, out: Tensor) -> None:
        self.merger = Qwen3VLPatchMerger(config)
        self.deepstack_merger_list = nn.ModuleList(
            Qwen3VLPatchMerger(config, late=True) for _ in config.deepstack_visual_indexes
        )

    def get_input_embeddings(self) -> None:
        return None

    @collects
    def forward(self, hidden_states: Tensor, grid_thw: Tensor | None = None, **kwargs: Any) -> tuple | ModelOutput:
        corners, shares = table_corners(grid_thw, self.side, self.spatial_merge_size)
        position_ids = patch_places(grid_thw, self.spatial_merge_size)
        frames = frame_ends(grid_thw)
        hidden_states = self.patch_embed(hidden_states)
        position_embeds = (self.pos_embed(corners) * shares[:, :, None]).sum(0)
        hidden_states = hidden_states + position_embeds.to(hidden_states.dtype)
        angles = self.rotary_pos_emb(position_ids)
        length = hidden_states.shape[0]
        hidden_states = hidden_states.reshape(length, -1)
        angles = angles.reshape(length, -1)
        both = torch.cat((angles, angles), dim=-1)
        position_embeddings = (both.cos(), both.sin())
        features = []
        early = list(self.config.deepstack_visual_indexes)
        for index, block in enumerate(self.blocks):
            hidden_states = block(hidden_states, parts=frames, position_embeddings=position_embeddings, **kwargs)
            if index in early:
                feature = self.deepstack_merger_list[early.index(index)](hidden_states)
                features.append(feature)
        merged = self.merger(hidden_states)
        return VisionOutput(last_hidden_state=hidden_states, pooler_output=merged, deepstack_features=features)


class Qwen3VLModel(PatchedModel):
    def prepare_grids(self, video_grid_thw: Tensor) -> Any:
        """Every frame of a film by itself, because time stamps stand between them."""
        video_grid_thw = torch.repeat_interleave(video_grid_thw, video_grid_thw[:, 0], dim=0)
        video_grid_thw[:, 0] = 1
        return video_grid_thw

    def _look(self, pixels, grid, input_ids, inputs_embeds, name, kwargs):
        """Embeddings with features in the places of images, where those are, and what else is kept as long as `forward` runs."""
        outputs = self.get_image_features(pixels, grid, **kwargs)
        features = torch.cat(outputs.pooler_output, dim=0).to(inputs_embeds.device, inputs_embeds.dtype)
        mask = self.get_placeholder_mask(input_ids, inputs_embeds, **{name: features})
        chosen = mask[0 if name == "image_features" else 1]
        inputs_embeds = inputs_embeds.masked_scatter(chosen, features)
        return inputs_embeds, chosen[..., 0], outputs.deepstack_features, (outputs, features, mask)

    def _join(self, images, films):
        """Places and early features of images and films in one."""
        (image_mask, image_features), (film_mask, film_features) = images, films
        if film_mask is None or image_mask is None:
            return (image_mask, image_features) if film_mask is None else (film_mask, film_features)
        together = []
        for one, other in zip(image_features, film_features):
            joint = one.new_zeros(len(one) + len(other), one.shape[-1])
            joint[: len(one)] = one
            joint[len(one) :] = other
            together.append(joint)
        return image_mask | film_mask, together

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        past_key_values: Cache | None = None,
        inputs_embeds: Tensor | None = None,
        pixel_values: Tensor | None = None,
        pixel_values_videos: Tensor | None = None,
        image_grid_thw: Tensor | None = None,
        video_grid_thw: Tensor | None = None,
        mm_token_type_ids: Tensor | None = None,
        image_options: Any = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> tuple | ModelOutput:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You must specify exactly one of input_ids or inputs_embeds")
        if inputs_embeds is None:
            inputs_embeds = self.get_input_embeddings()(input_ids)
        image_mask = film_mask = image_features = film_features = None
        seeing = {name: value for name, value in kwargs.items() if name != "use_cache"}
        if pixel_values is not None:
            inputs_embeds, image_mask, image_features, _images = self._look(
                *(pixel_values, image_grid_thw, input_ids, inputs_embeds, "image_features", seeing)
            )
        if pixel_values_videos is not None:
            inputs_embeds, film_mask, film_features, _films = self._look(
                *(pixel_values_videos, video_grid_thw, input_ids, inputs_embeds, "video_features", seeing)
            )
        mask, features = self._join((image_mask, image_features), (film_mask, film_features))
        if position_ids is None:
            position_ids = self.compute_3d_position_ids(
                *(input_ids, inputs_embeds, attention_mask, past_key_values, mm_token_type_ids),
                image_grid_thw=image_grid_thw,
                video_grid_thw=video_grid_thw,
            )
        outputs = self.language_model(
            position_ids=position_ids,
            attention_mask=attention_mask,
            past_key_values=past_key_values,
            inputs_embeds=inputs_embeds,
            visual_pos_masks=mask,
            deepstack_visual_embeds=features,
            **kwargs,
        )
        return self.result(outputs)


class Qwen3VLForConditionalGeneration(PatchedLM):
    model_class = Qwen3VLModel


register(Qwen3VLVisionConfig, AutoModel=Qwen3VLVisionModel)
register(Qwen3VLTextConfig, AutoModel=Qwen3VLTextModel)
register(
    Qwen3VLConfig,
    AutoModel=Qwen3VLModel,
    AutoModelForImageTextToText=Qwen3VLForConditionalGeneration,
    AutoModelForMultimodalLM=Qwen3VLForConditionalGeneration,
)
