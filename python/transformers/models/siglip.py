"""siglip: an encoder of images without a class token and one of texts, compared pair by pair with a sigmoid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..cores.capturing import collects
from ..configuration_utils import PreTrainedConfig
from ..masking_utils import create_bidirectional_mask
from ..modeling_utils import BLOCK_RECORDS, PreTrainedModel, register
from ..modeling_outputs import BaseModelOutputWithPooling, CLIPOutput
from ..cores.vision import VisionMLP, VisionModelBase
from .clip import TowerClassifier
from .clip_towers import CLIPAttention, CLIPEncoder, CLIPEncoderLayer, CLIPTextModel, CLIPVisionEmbeddings

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


class SiglipTextConfig(PreTrainedConfig):
    model_type = "siglip_text_model"
    vocab_size = 32000
    hidden_size = 768
    intermediate_size = 3072
    num_hidden_layers = 12
    num_attention_heads = 12
    max_position_embeddings = 64
    hidden_act = "gelu_pytorch_tanh"
    layer_norm_eps = 1e-6
    attention_dropout = 0.0
    pad_token_id = 1
    bos_token_id = 49406
    eos_token_id = 49407
    projection_size = None

    def complete(self) -> None:
        if self.projection_size is None:
            self.projection_size = self.hidden_size


class SiglipVisionConfig(PreTrainedConfig):
    model_type = "siglip_vision_model"
    hidden_size = 768
    intermediate_size = 3072
    num_hidden_layers = 12
    num_attention_heads = 12
    num_channels = 3
    image_size = 224
    patch_size = 16
    hidden_act = "gelu_pytorch_tanh"
    layer_norm_eps = 1e-6
    attention_dropout = 0.0


class SiglipConfig(PreTrainedConfig):
    model_type = "siglip"
    sub_configs = {"text_config": SiglipTextConfig, "vision_config": SiglipVisionConfig}
    initializer_factor = 1.0


class SiglipVisionEmbeddings(CLIPVisionEmbeddings):
    special = 0
    biased = True

    def forward(self, pixel_values: Tensor, interpolate_pos_encoding: bool = False) -> Tensor:
        _, _, height, width = pixel_values.shape
        dtype = self.patch_embedding.weight.dtype
        patches = self.patch_embedding(pixel_values.to(dtype=dtype))
        embeddings = patches.flatten(2).transpose(1, 2)
        embeddings = embeddings + self.positions(embeddings.shape[1], height, width, interpolate_pos_encoding)
        return embeddings


class SiglipEncoderLayer(CLIPEncoderLayer):
    def build(self, config: PreTrainedConfig) -> None:
        self.layer_norm1 = nn.LayerNorm(self.embed_dim, eps=config.layer_norm_eps)
        self.self_attn = CLIPAttention(config)
        self.layer_norm2 = nn.LayerNorm(self.embed_dim, eps=config.layer_norm_eps)
        self.mlp = VisionMLP(config)


class SiglipEncoder(CLIPEncoder):
    layer_class = SiglipEncoderLayer


class SiglipTextModel(CLIPTextModel):
    encoder_class = SiglipEncoder
    base_model_prefix = "text_model"

    def build(self, config: PreTrainedConfig) -> None:
        self.head = nn.Linear(config.hidden_size, config.projection_size)

    def encode(self, embedded: Tensor, attention_mask: Tensor | None, **kwargs: Any) -> Any:
        attention_mask = create_bidirectional_mask(self.config, embedded, attention_mask)
        return self.encoder(inputs_embeds=embedded, attention_mask=attention_mask, **kwargs)

    def pool(self, states: Tensor, input_ids: Tensor) -> Any:
        pooled = states[:, -1, :]
        pooled = self.head(pooled)
        return pooled


class AttentionPooling(nn.Module):
    """A learned query looks at all patches."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.probe = nn.Parameter(torch.randn(1, 1, config.hidden_size))
        self.attention = nn.MultiheadAttention(config.hidden_size, config.num_attention_heads, batch_first=True)
        self.layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.mlp = VisionMLP(config)

    def forward(self, hidden_state: Tensor) -> Any:
        batch = hidden_state.shape[0]
        probe = self.probe.repeat(batch, 1, 1)
        hidden_state = self.attention(probe, hidden_state, hidden_state)[0]
        residual = hidden_state
        hidden_state = self.layernorm(hidden_state)
        hidden_state = residual + self.mlp(hidden_state)
        return hidden_state[:, 0]


class SiglipVisionModel(VisionModelBase):
    base_model_prefix = "vision_model"
    records = BLOCK_RECORDS

    def __init__(self, config: SiglipVisionConfig) -> None:
        super().__init__(config)
        self.embeddings = SiglipVisionEmbeddings(config)
        self.encoder = SiglipEncoder(config)
        self.post_layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.use_head = getattr(config, "vision_use_head", True)
        if self.use_head:
            self.head = AttentionPooling(config)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.embeddings.patch_embedding

    @collects(ties_last=False)
    def forward(
        self, pixel_values: Tensor, interpolate_pos_encoding: bool | None = False, **kwargs: Any
    ) -> ModelOutput:
        embedded = self.embeddings(pixel_values, interpolate_pos_encoding=interpolate_pos_encoding)
        encoded = self.encoder(inputs_embeds=embedded, **kwargs)
        last = encoded.last_hidden_state
        last = self.post_layernorm(last)
        pooled = self.head(last) if self.use_head else None
        return BaseModelOutputWithPooling(last_hidden_state=last, pooler_output=pooled)


def _pairwise_loss(by_text):
    """Every pair is a yes or a no."""
    eye = torch.eye(by_text.size(0), device=by_text.device)
    signs = -torch.ones_like(by_text) + 2 * eye
    likely = torch.nn.functional.logsigmoid(signs * by_text)
    unlikely = -torch.sum(likely, dim=-1)
    loss = unlikely.mean()
    return (eye, signs, likely, unlikely), loss


class SiglipModel(PreTrainedModel):
    base_model_prefix = "siglip"

    def __init__(self, config: SiglipConfig) -> None:
        super().__init__(config)
        self.text_model = SiglipTextModel(config.text_config)
        self.vision_model = SiglipVisionModel(config.vision_config)
        self.logit_scale = nn.Parameter(torch.randn(1))
        self.logit_bias = nn.Parameter(torch.randn(1))
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.text_model.get_input_embeddings()

    def get_text_features(
        self, input_ids: Tensor, attention_mask: Tensor | None = None, position_ids: Tensor | None = None, **kwargs: Any
    ) -> tuple | ModelOutput:
        return self.text_model(input_ids=input_ids, attention_mask=attention_mask, position_ids=position_ids, **kwargs)

    def get_image_features(
        self, pixel_values: Tensor, interpolate_pos_encoding: bool = False, **kwargs: Any
    ) -> tuple | ModelOutput:
        return self.vision_model(pixel_values=pixel_values, interpolate_pos_encoding=interpolate_pos_encoding, **kwargs)

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
        seen = self.get_image_features(pixel_values, interpolate_pos_encoding=interpolate_pos_encoding, **kwargs)
        read = self.get_text_features(input_ids, attention_mask=attention_mask, position_ids=position_ids, **kwargs)
        images = seen.pooler_output
        texts = read.pooler_output
        images = images / images.norm(p=2, dim=-1, keepdim=True)
        texts = texts / texts.norm(p=2, dim=-1, keepdim=True)
        by_text = torch.matmul(texts, images.t().to(texts.device))
        scale, bias = self.logit_scale.to(texts.device), self.logit_bias.to(texts.device)
        by_text = by_text * scale.exp() + bias
        by_image = by_text.t()
        loss = None
        if return_loss:
            _kept, loss = _pairwise_loss(by_text)
        return CLIPOutput(
            loss=loss,
            logits_per_image=by_image,
            logits_per_text=by_text,
            text_embeds=texts,
            image_embeds=images,
            text_model_output=read,
            vision_model_output=seen,
        )


class SiglipForImageClassification(TowerClassifier):
    base_model_prefix = "vision_model"
    model_class = SiglipVisionModel
    special = 0


register(SiglipTextConfig, AutoModel=SiglipTextModel)
register(SiglipVisionConfig, AutoModel=SiglipVisionModel)
register(
    SiglipConfig,
    AutoModel=SiglipModel,
    AutoModelForImageClassification=SiglipForImageClassification,
    AutoModelForZeroShotImageClassification=SiglipModel,
)
