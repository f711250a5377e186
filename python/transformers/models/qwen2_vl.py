"""qwen2_vl: qwen2 that reads images of any size; each third of the channels turns by time, height or width."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import register
from ..cores.patched_text import PatchedConfig, PatchedLM, PatchedModel, three_axes
from ..cores.patched_vision import PatchBlock, PatchedVisionModel, PlainMLP
from ..parts.rope import RotaryEmbedding, rotate
from ..cores.windows import WindowedModel
from .qwen2 import Qwen2Attention, Qwen2Config, Qwen2DecoderLayer

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache


class Qwen2VLVisionConfig(PreTrainedConfig):
    model_type = "qwen2_vl_vision"
    depth = 32
    embed_dim = 1280
    hidden_size = 3584
    hidden_act = "quick_gelu"
    mlp_ratio = 4
    num_heads = 16
    in_channels = 3
    patch_size = 14
    spatial_merge_size = 2
    temporal_patch_size = 2
    initializer_range = 0.02


class Qwen2VLTextConfig(Qwen2Config):
    model_type = "qwen2_vl_text"
    default_theta = 1000000.0
    vocab_size = 152064
    hidden_size = 8192
    intermediate_size = 29568
    num_hidden_layers = 80
    num_attention_heads = 64
    num_key_value_heads = 8
    rms_norm_eps = 1e-5
    sliding_window = 4096
    max_window_layers = 80
    bos_token_id = 151643
    eos_token_id = 151645
    # whether weights are tied is the whole model's to say
    tie_word_embeddings = True

    def _complete_rope_part(self, part, theta):
        super()._complete_rope_part(part, theta)
        if part["rope_type"] == "mrope":
            part["rope_type"] = "default"


class Qwen2VLConfig(PatchedConfig):
    model_type = "qwen2_vl"
    _parts = {"text_config": ("qwen2_vl_text", {}), "vision_config": ("qwen2_vl_vision", {})}
    _text_fields = Qwen2VLTextConfig

    def __init__(self, **values: Any) -> None:
        if values.get("text_config") is None:
            known = {name for kind in self._text_fields.__mro__ for name in vars(kind) if not name.startswith("_")}
            known = (known - {*vars(PreTrainedConfig)}) | {"rope_scaling", "rope_theta", "rope_parameters"}
            values["text_config"] = {name: values.pop(name) for name in list(values) if name in known}
        super().__init__(**values)


class AxesRotaryEmbedding(RotaryEmbedding):
    """Cosine and sine for each axis: two tensors [3, batch, length, size]."""

    def forward(self, x: Tensor, position_ids: Tensor) -> tuple:
        frequencies = self.inv_freq[None, None, :, None].float().expand(3, position_ids.shape[1], -1, 1)
        expanded_ids = position_ids[:, :, None, :].float()
        with torch.autocast(x.device.type, enabled=False):
            angles = (frequencies.float() @ expanded_ids.float()).transpose(2, 3)
            both = torch.cat((angles, angles), dim=-1)
            cos = both.cos() * self.attention_scaling
            sin = both.sin() * self.attention_scaling
        return cos.to(dtype=x.dtype), sin.to(dtype=x.dtype)


def _of_axes(angles, sections):
    """Each section of the channels from one axis in turn."""
    return torch.cat([part[index % 3] for index, part in enumerate(angles.split(sections, dim=-1))], dim=-1)


class Qwen2VLAttention(Qwen2Attention):
    def rotate(self, query: Tensor, key: Tensor, cos: Tensor, sin: Tensor) -> Any:
        sections = self.config.rope_parameters["mrope_section"] * 2
        cos = _of_axes(cos, sections)
        sin = _of_axes(sin, sections)
        return rotate(query, key, cos, sin)


class Qwen2VLDecoderLayer(Qwen2DecoderLayer):
    attention_class = Qwen2VLAttention


class Qwen2VLTextModel(WindowedModel):
    layer_class = Qwen2VLDecoderLayer
    rotary_class = AxesRotaryEmbedding

    def prepare_position_ids(self, position_ids: Tensor, embeds: Tensor, past_key_values: Cache | None) -> Any:
        return three_axes(position_ids, embeds, past_key_values, 3)


class Qwen2VLVisionBlock(PatchBlock):
    def make_mlp(self, config: PreTrainedConfig, size: int) -> PlainMLP:
        return PlainMLP(size, int(size * config.mlp_ratio), config.hidden_act)


class Qwen2VisionTransformerPretrainedModel(PatchedVisionModel):
    block_class = Qwen2VLVisionBlock
    size_name = "embed_dim"
    out_name = "hidden_size"


class Qwen2VLModel(PatchedModel):
    pass


class Qwen2VLForConditionalGeneration(PatchedLM):
    model_class = Qwen2VLModel


register(Qwen2VLVisionConfig, AutoModel=Qwen2VisionTransformerPretrainedModel)
register(Qwen2VLTextConfig, AutoModel=Qwen2VLTextModel)
register(
    Qwen2VLConfig,
    AutoModel=Qwen2VLModel,
    AutoModelForImageTextToText=Qwen2VLForConditionalGeneration,
    AutoModelForMultimodalLM=Qwen2VLForConditionalGeneration,
)
