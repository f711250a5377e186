"""blip: a decoder in the manner of BERT that looks at the patches of an image in every layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cores.capturing import collects
from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import Block, register, register_classes
from ..modeling_outputs import BaseModelOutputWithPooling, BlipForConditionalGenerationModelOutput
from ..cores.vision import VisionMLP, VisionModelBase, resized
from .clip_towers import CLIPEncoder, CLIPVisionConfig
from .blip_text import BlipTextConfig, BlipTextLMHeadModel, BlipTextModel

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


class BlipVisionConfig(CLIPVisionConfig):
    model_type = "blip_vision_model"
    image_size = 384
    patch_size = 16
    hidden_act = "gelu"


class BlipConfig(PreTrainedConfig):
    model_type = "blip"
    sub_configs = {"text_config": BlipTextConfig, "vision_config": BlipVisionConfig}
    projection_dim = 512
    logit_scale_init_value = 2.6592
    image_text_hidden_size = 256
    label_smoothing = 0.0

    def complete(self) -> None:
        self.text_config.encoder_hidden_size = self.vision_config.hidden_size


class BlipVisionEmbeddings(nn.Module):
    def __init__(self, config: BlipVisionConfig) -> None:
        super().__init__()
        size, self.patch_size = config.hidden_size, config.patch_size
        self.class_embedding = nn.Parameter(torch.randn(1, 1, size))
        self.patch_embedding = nn.Conv2d(3, size, kernel_size=self.patch_size, stride=self.patch_size)
        count = (config.image_size // self.patch_size) ** 2
        self.position_embedding = nn.Parameter(torch.randn(1, count + 1, size))

    def forward(self, pixel_values: Tensor, interpolate_pos_encoding: bool = False) -> Tensor:
        batch, _, height, width = pixel_values.shape
        dtype = self.patch_embedding.weight.dtype
        patches = self.patch_embedding(pixel_values.to(dtype=dtype))
        patches = patches.flatten(2).transpose(1, 2)
        first = self.class_embedding.expand(batch, 1, -1).to(dtype)
        embeddings = torch.cat([first, patches], dim=1)
        position_embeds = self.position_embedding
        if interpolate_pos_encoding:
            position_embeds = resized(position_embeds, embeddings.shape[1] - 1, height, width, self.patch_size)
        embeddings = embeddings + position_embeds[:, : embeddings.size(1), :].to(dtype)
        return embeddings


class BlipAttention(nn.Module):
    """Queries, keys and values from one projection."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.embed_dim = size = config.hidden_size
        self.num_heads = config.num_attention_heads
        self.scale = (size // self.num_heads) ** -0.5
        self.dropout = nn.Dropout(config.attention_dropout)
        self.qkv = nn.Linear(size, 3 * size)
        self.projection = nn.Linear(size, size)

    def forward(self, hidden_states: Tensor) -> tuple[Tensor, Tensor]:
        batch, length, size = hidden_states.size()
        both = (
            self.qkv(hidden_states)
            .reshape(batch, length, 3, self.num_heads, size // self.num_heads)
            .permute(2, 0, 3, 1, 4)
        )
        query, key, value = both[0], both[1], both[2]
        scores = torch.matmul(query, key.transpose(-1, -2))
        scores = scores * self.scale
        weights = F.softmax(scores, dim=-1)
        weights = self.dropout(weights)
        context = torch.matmul(weights, value).permute(0, 2, 1, 3)
        context = context.reshape(context.size()[:-2] + (self.embed_dim,))
        output = self.projection(context)
        return output, weights


class BlipEncoderLayer(Block):
    def __init__(self, config: BlipConfig) -> None:
        super().__init__()
        self.embed_dim = config.hidden_size
        self.self_attn = BlipAttention(config)
        self.layer_norm1 = nn.LayerNorm(self.embed_dim, eps=config.layer_norm_eps)
        self.mlp = VisionMLP(config)
        self.layer_norm2 = nn.LayerNorm(self.embed_dim, eps=config.layer_norm_eps)

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        residual = hidden_states
        hidden_states = self.layer_norm1(hidden_states)
        hidden_states, _ = self.self_attn(hidden_states=hidden_states)
        hidden_states = hidden_states + residual
        residual = hidden_states
        hidden_states = self.layer_norm2(hidden_states)
        hidden_states = self.mlp(hidden_states)
        hidden_states = hidden_states + residual
        return hidden_states


class BlipEncoder(CLIPEncoder):
    layer_class = BlipEncoderLayer


class BlipVisionModel(VisionModelBase):
    base_model_prefix = "blip"
    records = {"hidden_states": BlipEncoderLayer, "attentions": BlipAttention}

    def __init__(self, config: BlipVisionConfig) -> None:
        super().__init__(config)
        self.embeddings = BlipVisionEmbeddings(config)
        self.encoder = BlipEncoder(config)
        self.post_layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.embeddings

    @collects(ties_last=False)
    def forward(
        self, pixel_values: Tensor | None = None, interpolate_pos_encoding: bool = False, **kwargs: Any
    ) -> tuple | ModelOutput:
        embedded = self.embeddings(pixel_values, interpolate_pos_encoding=interpolate_pos_encoding)
        encoded = self.encoder(inputs_embeds=embedded, **kwargs)
        last = encoded.last_hidden_state
        last = self.post_layernorm(last)
        pooled = last[:, 0, :]
        pooled = self.post_layernorm(pooled)
        return BaseModelOutputWithPooling(last_hidden_state=last, pooler_output=pooled)


class BlipForConditionalGeneration(VisionModelBase):
    base_model_prefix = "blip"

    def __init__(self, config: BlipConfig) -> None:
        super().__init__(config)
        self.vision_model = BlipVisionModel(config.vision_config)
        self.text_decoder = BlipTextLMHeadModel(config.text_config)
        self.decoder_input_ids = config.text_config.bos_token_id
        self.decoder_pad_token_id = config.text_config.pad_token_id
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.text_decoder.get_input_embeddings()

    def forward(
        self,
        pixel_values: Tensor,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        interpolate_pos_encoding: bool = False,
        logits_to_keep: int | Tensor = 0,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> tuple | ModelOutput:
        seen = self.vision_model(pixel_values=pixel_values, interpolate_pos_encoding=interpolate_pos_encoding)
        image = seen.last_hidden_state
        outputs = self.text_decoder(
            input_ids=input_ids,
            attention_mask=attention_mask,
            encoder_hidden_states=image,
            labels=labels,
            reduction="mean",
            logits_to_keep=logits_to_keep,
            **kwargs,
        )
        return BlipForConditionalGenerationModelOutput(
            loss=outputs.loss,
            logits=outputs.logits,
            image_embeds=image,
            last_hidden_state=seen.last_hidden_state,
            hidden_states=seen.hidden_states,
        )


register(BlipTextConfig)
register(BlipVisionConfig, AutoModel=BlipVisionModel)
register(
    BlipConfig,
    AutoModelForImageTextToText=BlipForConditionalGeneration,
    AutoModelForMultimodalLM=BlipForConditionalGeneration,
)
register_classes(BlipTextModel, BlipTextLMHeadModel)
