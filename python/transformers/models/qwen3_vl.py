"""
qwen3_vl: qwen3 whose rotary angles follow time, height and width. Its encoder of images is built and counted, but not run.
"""

import torch
from torch import nn

from ..activations import ACT2FN
from ..config import PreTrainedConfig
from ..decoder import DecoderConfig, DecoderModel
from ..model import PreTrainedModel, register
from ..multimodal import ConditionalLM, MultiModalConfig, make_part
from ..outputs import ModelOutputWithImages
from ..rope import RotaryEmbedding
from ..vision import VisionModelBase
from .qwen3 import Qwen3DecoderLayer


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


class Qwen3VLConfig(MultiModalConfig):
    model_type = "qwen3_vl"
    _parts = {"text_config": ("qwen3_vl_text", {}), "vision_config": ("qwen3_vl_vision", {})}
    image_token_id = 151655
    video_token_id = 151656
    vision_start_token_id = 151652
    vision_end_token_id = 151653

    def _adopt(self, name, kind, value):
        if isinstance(value, dict) and value.get("model_type") == self.model_type:
            value = {**value, "model_type": self._parts[name][0]}
        super()._adopt(name, kind, value)


class InterleavedRotaryEmbedding(RotaryEmbedding):
    """Angles of time, height and width [3, batch, length, half], of which each pair of channels takes one in turn."""

    @torch.no_grad()
    def forward(self, x, position_ids):
        if position_ids.ndim == 2:
            position_ids = position_ids[None, ...].expand(3, x.shape[0], -1)
        frequencies = self.inv_freq[None, None, :, None].float().expand(3, position_ids.shape[1], -1, 1)
        places = position_ids[:, :, None, :].float()
        with torch.autocast(x.device.type, enabled=False):
            angles = (frequencies.float() @ places.float()).transpose(2, 3)
            angles = self.interleave(angles)
            both = torch.cat((angles, angles), dim=-1)
            cos = both.cos() * self.attention_scaling
            sin = both.sin() * self.attention_scaling
        return cos.to(dtype=x.dtype), sin.to(dtype=x.dtype)

    def interleave(self, angles):
        parts = self.config.rope_parameters.get("mrope_section", [24, 20, 20])
        mixed = angles[0]
        for axis in (1, 2):
            chosen = slice(axis, parts[axis] * 3, 3)
            mixed[..., chosen] = angles[axis, ..., chosen]
        return mixed


class Qwen3VLTextModel(DecoderModel):
    layer_class = Qwen3DecoderLayer
    rotary_class = InterleavedRotaryEmbedding


class VisionMLP(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.linear_fc1 = nn.Linear(config.hidden_size, config.intermediate_size)
        self.linear_fc2 = nn.Linear(config.intermediate_size, config.hidden_size)
        self.act_fn = ACT2FN[config.hidden_act]


class VisionAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.qkv = nn.Linear(config.hidden_size, config.hidden_size * 3)
        self.proj = nn.Linear(config.hidden_size, config.hidden_size)


class VisionBlock(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.norm1 = nn.LayerNorm(config.hidden_size, eps=1e-6)
        self.norm2 = nn.LayerNorm(config.hidden_size, eps=1e-6)
        self.attn = VisionAttention(config)
        self.mlp = VisionMLP(config)


class VisionPatches(nn.Module):
    def __init__(self, config):
        super().__init__()
        kernel = (config.temporal_patch_size, config.patch_size, config.patch_size)
        self.proj = nn.Conv3d(config.in_channels, config.hidden_size, kernel_size=kernel, stride=kernel)


class VisionRotary(nn.Module):
    def __init__(self, size, theta=10000.0):
        super().__init__()
        inv_freq = 1.0 / theta ** (torch.arange(0, size, 2, dtype=torch.float) / size)
        self.register_buffer("inv_freq", inv_freq, persistent=False)


class PatchMerger(nn.Module):
    def __init__(self, config, late=False):
        super().__init__()
        size = config.hidden_size * config.spatial_merge_size**2
        self.norm = nn.LayerNorm(size if late else config.hidden_size, eps=1e-6)
        self.linear_fc1 = nn.Linear(size, size)
        self.act_fn = nn.GELU()
        self.linear_fc2 = nn.Linear(size, config.out_hidden_size)


class Qwen3VLVisionModel(VisionModelBase):
    def __init__(self, config):
        super().__init__(config)
        self.patch_embed = VisionPatches(config)
        self.pos_embed = nn.Embedding(config.num_position_embeddings, config.hidden_size)
        self.rotary_pos_emb = VisionRotary(config.hidden_size // config.num_heads // 2)
        self.blocks = nn.ModuleList(VisionBlock(config) for _ in range(config.depth))
        self.merger = PatchMerger(config)
        self.deepstack_merger_list = nn.ModuleList(PatchMerger(config, late=True) for _ in config.deepstack_visual_indexes)
        self.post_init()

    def get_input_embeddings(self):
        return None

    def forward(self, hidden_states, grid_thw=None, **_):
        raise NotImplementedError("vramscope does not run qwen3_vl's encoder of images yet; texts alone do run")


class Qwen3VLModel(PreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.visual = make_part(config.vision_config)
        self.language_model = make_part(config.text_config)
        self.post_init()

    def get_input_embeddings(self):
        return self.language_model.get_input_embeddings()

    def forward(
        self, input_ids=None, pixel_values=None, inputs_embeds=None, image_options=None, return_dict=None, **kwargs
    ):
        if pixel_values is not None or kwargs.get("pixel_values_videos") is not None:
            self.visual(pixel_values)
        if inputs_embeds is None:
            inputs_embeds = self.get_input_embeddings()(input_ids)
        outputs = self.language_model(inputs_embeds=inputs_embeds, **kwargs)
        return ModelOutputWithImages(
            last_hidden_state=outputs.last_hidden_state,
            past_key_values=outputs.past_key_values,
            hidden_states=outputs.hidden_states,
            attentions=outputs.attentions,
        )


class Qwen3VLForConditionalGeneration(ConditionalLM):
    model_class = Qwen3VLModel


register(Qwen3VLVisionConfig, AutoModel=Qwen3VLVisionModel)
register(Qwen3VLTextConfig, AutoModel=Qwen3VLTextModel)
register(
    Qwen3VLConfig,
    AutoModel=Qwen3VLModel,
    AutoModelForImageTextToText=Qwen3VLForConditionalGeneration,
    AutoModelForMultimodalLM=Qwen3VLForConditionalGeneration,
)
