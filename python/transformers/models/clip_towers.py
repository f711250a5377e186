"""clip's two encoders, of images and of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..cores.capturing import collects
from ..configuration_utils import PreTrainedConfig
from ..masking_utils import create_causal_mask
from ..modeling_utils import BLOCK_RECORDS, Block, PreTrainedModel
from ..modeling_outputs import BaseModelOutput, BaseModelOutputWithPooling
from ..cores.vision import VisionAttention, VisionMLP, VisionModelBase, resized, run_layers

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.models.clip import CLIPConfig
    from transformers.modeling_outputs import ModelOutput


class CLIPTextConfig(PreTrainedConfig):
    model_type = "clip_text_model"
    vocab_size = 49408
    hidden_size = 512
    intermediate_size = 2048
    projection_dim = 512
    num_hidden_layers = 12
    num_attention_heads = 8
    max_position_embeddings = 77
    hidden_act = "quick_gelu"
    layer_norm_eps = 1e-5
    attention_dropout = 0.0
    pad_token_id = 1
    bos_token_id = 49406
    eos_token_id = 49407


class CLIPVisionConfig(PreTrainedConfig):
    model_type = "clip_vision_model"
    hidden_size = 768
    intermediate_size = 3072
    projection_dim = 512
    num_hidden_layers = 12
    num_attention_heads = 12
    num_channels = 3
    image_size = 224
    patch_size = 32
    hidden_act = "quick_gelu"
    layer_norm_eps = 1e-5
    attention_dropout = 0.0


class CLIPVisionEmbeddings(nn.Module):
    special = 1
    biased = False

    def __init__(self, config: CLIPVisionConfig) -> None:
        super().__init__()
        self.config = config
        self.embed_dim = config.hidden_size
        self.image_size = config.image_size
        self.patch_size = config.patch_size
        if self.special:
            self.class_embedding = nn.Parameter(torch.randn(self.embed_dim))
        self.patch_embedding = nn.Conv2d(
            config.num_channels, self.embed_dim, kernel_size=self.patch_size, stride=self.patch_size, bias=self.biased
        )
        self.num_patches = (self.image_size // self.patch_size) ** 2
        self.num_positions = self.num_patches + self.special
        self.position_embedding = nn.Embedding(self.num_positions, self.embed_dim)
        self.register_buffer("position_ids", torch.arange(self.num_positions).expand((1, -1)), persistent=False)

    def positions(self, patches: Any, height: int, width: int, interpolate: bool) -> Any:
        if interpolate and not (patches == self.num_patches and height == width):
            weight = self.position_embedding.weight.unsqueeze(0)
            return resized(weight, patches, height, width, self.patch_size, self.special)
        return self.position_embedding(self.position_ids)

    def forward(self, pixel_values: Tensor, interpolate_pos_encoding: bool = False) -> Tensor:
        batch, _, height, width = pixel_values.shape
        if not interpolate_pos_encoding and (height != self.image_size or width != self.image_size):
            raise ValueError(
                f"Input image size ({height}*{width}) doesn't match model ({self.image_size}*{self.image_size})."
            )
        dtype = self.patch_embedding.weight.dtype
        patches = self.patch_embedding(pixel_values.to(dtype=dtype))
        patches = patches.flatten(2).transpose(1, 2)
        first = self.class_embedding.expand(batch, 1, -1)
        embeddings = torch.cat([first, patches], dim=1)
        embeddings = embeddings + self.positions(embeddings.shape[1] - 1, height, width, interpolate_pos_encoding)
        return embeddings


class CLIPTextEmbeddings(nn.Module):
    def __init__(self, config: CLIPTextConfig) -> None:
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position_embedding = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.register_buffer(
            "position_ids", torch.arange(config.max_position_embeddings).expand((1, -1)), persistent=False
        )

    def forward(
        self, input_ids: Tensor | None = None, position_ids: Tensor | None = None, inputs_embeds: Tensor | None = None
    ) -> Tensor:
        length = input_ids.shape[-1] if input_ids is not None else inputs_embeds.shape[-2]
        most = self.position_embedding.weight.shape[0]
        if length > most:
            raise ValueError(
                "Sequence length must be less than max_position_embeddings "
                f"(got `sequence length`: {length} and max_position_embeddings: {most}"
            )
        if position_ids is None:
            position_ids = self.position_ids[:, :length]
        if inputs_embeds is None:
            inputs_embeds = self.token_embedding(input_ids)
        position_embeds = self.position_embedding(position_ids)
        embeddings = inputs_embeds + position_embeds
        return embeddings


class CLIPAttention(VisionAttention):
    names = ("k_proj", "v_proj", "q_proj")
    out_name = "out_proj"
    dropout_name = "attention_dropout"


class CLIPEncoderLayer(Block):
    def __init__(self, config: CLIPVisionConfig | CLIPTextConfig) -> None:
        super().__init__()
        self.embed_dim = config.hidden_size
        self.build(config)

    def build(self, config: PreTrainedConfig) -> None:
        self.self_attn = CLIPAttention(config)
        self.layer_norm1 = nn.LayerNorm(self.embed_dim, eps=config.layer_norm_eps)
        self.mlp = VisionMLP(config)
        self.layer_norm2 = nn.LayerNorm(self.embed_dim, eps=config.layer_norm_eps)

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> Tensor:
        residual = hidden_states
        hidden_states = self.layer_norm1(hidden_states)
        hidden_states, _ = self.self_attn(hidden_states=hidden_states, attention_mask=attention_mask, **kwargs)
        hidden_states = residual + hidden_states
        residual = hidden_states
        hidden_states = self.layer_norm2(hidden_states)
        hidden_states = self.mlp(hidden_states)
        hidden_states = residual + hidden_states
        return hidden_states


class CLIPEncoder(nn.Module):
    layer_class = CLIPEncoderLayer

    def __init__(self, config: CLIPConfig) -> None:
        super().__init__()
        self.config = config
        self.layers = nn.ModuleList(self.layer_class(config) for _ in range(config.num_hidden_layers))
        self.gradient_checkpointing = False

    def forward(self, inputs_embeds: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> ModelOutput:
        last = run_layers(self.layers, inputs_embeds, attention_mask, **kwargs)
        return BaseModelOutput(last_hidden_state=last)


class CLIPTextModel(PreTrainedModel):
    base_model_prefix = "clip"
    encoder_class = CLIPEncoder
    records = BLOCK_RECORDS

    def __init__(self, config: CLIPTextConfig) -> None:
        super().__init__(config)
        self.embeddings = CLIPTextEmbeddings(config)
        self.encoder = self.encoder_class(config)
        self.final_layer_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.eos_token_id = config.eos_token_id
        self.build(config)
        self.post_init()

    def build(self, config: PreTrainedConfig) -> None:
        """What comes after the last norm."""

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.embeddings.token_embedding

    def encode(self, embedded: Tensor, attention_mask: Tensor | None, **kwargs: Any) -> Any:
        attention_mask = create_causal_mask(self.config, embedded, attention_mask, None)
        kwargs.pop("is_causal", None)
        return self.encoder(inputs_embeds=embedded, attention_mask=attention_mask, is_causal=True, **kwargs)

    def pool(self, states: Tensor, input_ids: Tensor) -> Any:
        """The state of the end of each text [batch, size]: the highest token number, or the one that the config names."""
        rows = torch.arange(states.shape[0], device=states.device)
        if self.eos_token_id == 2:
            return states[rows, input_ids.to(dtype=torch.int, device=states.device).argmax(dim=-1)]
        ends = (input_ids.to(dtype=torch.int, device=states.device) == self.eos_token_id).int().argmax(dim=-1)
        return states[rows, ends]

    @collects(ties_last=False)
    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        **kwargs: Any,
    ) -> ModelOutput:
        if input_ids is None:
            raise ValueError("You have to specify input_ids")
        input_ids = input_ids.view(-1, input_ids.shape[-1])
        embedded = self.embeddings(input_ids=input_ids, position_ids=position_ids)
        encoded = self.encode(embedded, attention_mask, **kwargs)
        last = encoded.last_hidden_state
        last = self.final_layer_norm(last)
        pooled = self.pool(last, input_ids)
        return BaseModelOutputWithPooling(last_hidden_state=last, pooler_output=pooled)


class CLIPVisionModel(VisionModelBase):
    base_model_prefix = "clip"
    # spelled so in published checkpoints
    first_norm = "pre_layrnorm"
    records = BLOCK_RECORDS

    def __init__(self, config: CLIPVisionConfig) -> None:
        super().__init__(config)
        self.embeddings = CLIPVisionEmbeddings(config)
        setattr(self, self.first_norm, nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps))
        self.encoder = CLIPEncoder(config)
        self.post_layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.embeddings.patch_embedding

    @collects(ties_last=False)
    def forward(
        self, pixel_values: Tensor | None = None, interpolate_pos_encoding: bool | None = False, **kwargs: Any
    ) -> ModelOutput:
        embedded = self.embeddings(pixel_values, interpolate_pos_encoding=interpolate_pos_encoding)
        embedded = getattr(self, self.first_norm)(embedded)
        encoded = self.encoder(inputs_embeds=embedded, **kwargs)
        last = encoded.last_hidden_state
        pooled = last[:, 0, :]
        pooled = self.post_layernorm(pooled)
        return BaseModelOutputWithPooling(last_hidden_state=last, pooler_output=pooled)
