"""sam: an encoder of large images with windows, an encoder of points, boxes and masks, and a decoder of masks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..parts.attention import HeadedModule, eager_wide
from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import register, register_classes
from ..modeling_outputs import output_class
from ..cores.vision import VisionModelBase
from .sam_vision import ChannelNorm, SamMLP, SamVisionConfig, SamVisionEncoder, SamVisionModel
from .sam_prompts import SamPositions, SamPromptEncoder, SamPromptEncoderConfig

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


SamImageSegmentationOutput = output_class(
    "SamImageSegmentationOutput",
    "iou_scores pred_masks vision_hidden_states vision_attentions mask_decoder_attentions",
)


class SamMaskDecoderConfig(PreTrainedConfig):
    hidden_size = 256
    hidden_act = "relu"
    mlp_dim = 2048
    num_hidden_layers = 2
    num_attention_heads = 8
    attention_downsample_rate = 2
    num_multimask_outputs = 3
    iou_head_depth = 3
    iou_head_hidden_dim = 256
    layer_norm_eps = 1e-6


class SamConfig(PreTrainedConfig):
    model_type = "sam"
    sub_configs = {
        "vision_config": SamVisionConfig,
        "prompt_encoder_config": SamPromptEncoderConfig,
        "mask_decoder_config": SamMaskDecoderConfig,
    }
    initializer_range = 0.02


# --- the encoder of images


# --- the encoder of prompts


# --- the decoder of masks


class SamAttention(HeadedModule):
    """States are [batch, prompts, tokens, size]; the inner size is smaller by `rate`."""

    eager = staticmethod(eager_wide)

    def __init__(self, config: PreTrainedConfig, rate: float | None = None) -> None:
        super().__init__()
        self.config = config
        inner = config.hidden_size // (config.attention_downsample_rate if rate is None else rate)
        self.heads = config.num_attention_heads
        if inner % self.heads:
            raise ValueError("num_attention_heads must divide hidden_size.")
        self.scaling = (inner // self.heads) ** -0.5
        for name in ("q_proj", "k_proj", "v_proj"):
            setattr(self, name, nn.Linear(config.hidden_size, inner))
        self.out_proj = nn.Linear(inner, config.hidden_size)
        self.is_causal = False

    def split(self, states: Tensor) -> Any:
        batch, prompts, tokens, size = states.shape
        states = states.reshape(batch * prompts, tokens, self.heads, size // self.heads)
        return states.transpose(1, 2)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, attention_similarity: Tensor | None = None) -> Tensor:
        query = self.q_proj(query)
        key = self.k_proj(key)
        value = self.v_proj(value)
        prompts = query.shape[1]
        query = self.split(query)
        key = self.split(key)
        value = self.split(value)
        output, weights = self.attention_function()(
            *(self, query, key, value),
            attention_similarity,
            dropout=0.0,
            scaling=self.scaling,
            is_causal=self.is_causal,
        )
        count, tokens, heads, size = output.shape
        output = output.reshape(count // prompts, prompts, tokens, heads * size)
        output = self.out_proj(output)
        return output, weights


class SamTwoWayBlock(nn.Module):
    """Prompts see each other and the image, then the image sees the prompts."""

    def __init__(self, config: PreTrainedConfig, first: Any) -> None:
        super().__init__()

        def norm():
            return nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

        self.self_attn = SamAttention(config, rate=1)
        self.layer_norm1 = norm()
        self.cross_attn_token_to_image = SamAttention(config, rate=2)
        self.layer_norm2 = norm()
        self.mlp = SamMLP(config)
        self.layer_norm3 = norm()
        self.layer_norm4 = norm()
        self.cross_attn_image_to_token = SamAttention(config, rate=2)
        self.first = first

    def forward(self, queries: Any, keys: Any, query_places: Any, key_places: Any, attention_similarity: Any) -> tuple:
        if self.first:
            queries, _ = self.self_attn(query=queries, key=queries, value=queries)
        else:
            query = queries + query_places
            attended, _ = self.self_attn(query=query, key=query, value=queries)
            queries = queries + attended
        queries = self.layer_norm1(queries)
        query = queries + query_places
        key = keys + key_places
        attended, _ = self.cross_attn_token_to_image(
            query=query, key=key, value=keys, attention_similarity=attention_similarity
        )
        queries = queries + attended
        queries = self.layer_norm2(queries)
        more = self.mlp(queries)
        queries = queries + more
        queries = self.layer_norm3(queries)
        query = queries + query_places
        key = keys + key_places
        attended, _ = self.cross_attn_image_to_token(query=key, key=query, value=queries)
        keys = keys + attended
        keys = self.layer_norm4(keys)
        return queries, keys, attended


class SamTwoWayTransformer(nn.Module):
    def __init__(self, config: SamMaskDecoderConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(SamTwoWayBlock(config, index == 0) for index in range(config.num_hidden_layers))
        self.final_attn_token_to_image = SamAttention(config)
        self.layer_norm_final_attn = nn.LayerNorm(config.hidden_size)

    def forward(
        self,
        point_embeddings: Tensor,
        image_embeddings: Tensor,
        image_places: Any,
        attention_similarity: Tensor,
        target_embedding: Any = None,
    ) -> tuple | ModelOutput:
        image_embeddings = image_embeddings.flatten(2).transpose(1, 2).unsqueeze(1)
        image_places = image_places.flatten(2).transpose(1, 2).unsqueeze(1)
        queries, keys = point_embeddings, image_embeddings
        for layer in self.layers:
            if target_embedding is not None:
                queries += target_embedding
            queries, keys, _ = layer(
                queries=queries,
                keys=keys,
                query_places=point_embeddings,
                key_places=image_places,
                attention_similarity=attention_similarity,
            )
        query = queries + point_embeddings
        key = keys + image_places
        attended, _ = self.final_attn_token_to_image(query=query, key=key, value=keys)
        queries = queries + attended
        queries = self.layer_norm_final_attn(queries)
        return queries, keys


class SamFeedForward(nn.Module):
    def __init__(self, inputs: Any, inner: int, outputs: Any, count: int) -> None:
        super().__init__()
        self.activation = nn.ReLU()
        self.proj_in = nn.Linear(inputs, inner)
        self.proj_out = nn.Linear(inner, outputs)
        self.layers = nn.ModuleList(nn.Linear(inner, inner) for _ in range(count - 2))

    def forward(self, hidden_states: Tensor) -> Any:
        hidden_states = self.proj_in(hidden_states)
        hidden_states = self.activation(hidden_states)
        for layer in self.layers:
            hidden_states = self.activation(layer(hidden_states))
        hidden_states = self.proj_out(hidden_states)
        return hidden_states


class SamMaskDecoder(nn.Module):
    def __init__(self, config: SamMaskDecoderConfig) -> None:
        super().__init__()
        size = config.hidden_size
        self.count = config.num_multimask_outputs + 1
        self.iou_token = nn.Embedding(1, size)
        self.mask_tokens = nn.Embedding(self.count, size)
        self.transformer = SamTwoWayTransformer(config)
        self.upscale_conv1 = nn.ConvTranspose2d(size, size // 4, kernel_size=2, stride=2)
        self.upscale_conv2 = nn.ConvTranspose2d(size // 4, size // 8, kernel_size=2, stride=2)
        self.upscale_layer_norm = ChannelNorm(size // 4)
        self.activation = nn.GELU()
        self.output_hypernetworks_mlps = nn.ModuleList(
            SamFeedForward(size, size, size // 8, 3) for _ in range(self.count)
        )
        self.iou_prediction_head = SamFeedForward(size, config.iou_head_hidden_dim, self.count, config.iou_head_depth)

    def forward(
        self,
        image_embeddings: Tensor,
        image_places: Any,
        sparse: Any,
        dense: Any,
        multimask_output: bool,
        attention_similarity: Tensor | None = None,
        target_embedding: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        batch, channels, height, width = image_embeddings.shape
        prompts = sparse.shape[1] if sparse is not None else 1
        own = torch.cat([self.iou_token.weight, self.mask_tokens.weight], dim=0)
        own = own.repeat(batch, prompts, 1, 1)
        tokens = torch.cat((own, sparse), dim=2) if sparse is not None else own
        points = tokens.to(self.iou_token.weight.dtype)
        image_embeddings = image_embeddings + dense
        image_embeddings = image_embeddings.repeat_interleave(prompts, 0)
        image_places = image_places.repeat_interleave(prompts, 0)
        found, image_embeddings = self.transformer(
            point_embeddings=points,
            image_embeddings=image_embeddings,
            image_places=image_places,
            attention_similarity=attention_similarity,
            target_embedding=target_embedding,
        )
        iou = found[:, :, 0, :]
        of_masks = found[:, :, 1 : 1 + self.count, :]
        image_embeddings = image_embeddings.transpose(2, 3).reshape(batch * prompts, channels, height, width)
        upscaled = self.upscale_conv1(image_embeddings)
        upscaled = self.activation(self.upscale_layer_norm(upscaled))
        upscaled = self.activation(self.upscale_conv2(upscaled))
        weights = []
        for index in range(self.count):
            weights.append(self.output_hypernetworks_mlps[index](of_masks[:, :, index, :]))
        together = torch.stack(weights, dim=2)
        _, channels, height, width = upscaled.shape
        upscaled = upscaled.reshape(batch, prompts, channels, height * width)
        masks = (together @ upscaled).reshape(batch, prompts, -1, height, width)
        quality = self.iou_prediction_head(iou)
        wanted = slice(1, None) if multimask_output else slice(0, 1)
        masks = masks[:, :, wanted, :, :]
        quality = quality[:, :, wanted]
        return masks, quality


class SamModel(VisionModelBase):
    base_model_prefix = "sam"
    tied = {"prompt_encoder.shared_embedding.positional_embedding": "shared_image_embedding.positional_embedding"}

    def __init__(self, config: SamConfig) -> None:
        super().__init__(config)
        self.shared_image_embedding = SamPositions(config.vision_config)
        self.vision_encoder = SamVisionEncoder(config.vision_config)
        self.prompt_encoder = SamPromptEncoder(config)
        self.mask_decoder = SamMaskDecoder(config.mask_decoder_config)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.vision_encoder.get_input_embeddings()

    def get_image_wide_positional_embeddings(self) -> Any:
        side = self.config.prompt_encoder_config.image_embedding_size
        table = self.shared_image_embedding.positional_embedding
        grid = torch.ones((side, side), device=table.device, dtype=table.dtype)
        y = grid.cumsum(dim=0) - 0.5
        x = grid.cumsum(dim=1) - 0.5
        y = y / side
        x = x / side
        position_embeds = self.shared_image_embedding(torch.stack([x, y], dim=-1))
        return position_embeds.permute(2, 0, 1).unsqueeze(0)

    @torch.no_grad()
    def get_image_embeddings(self, pixel_values: Tensor, **kwargs: Any) -> Any:
        outputs = self.vision_encoder(pixel_values, **kwargs)
        return outputs.last_hidden_state

    @torch.no_grad()
    def get_prompt_embeddings(
        self,
        input_points: Tensor | None = None,
        input_labels: Tensor | None = None,
        input_boxes: Tensor | None = None,
        input_masks: Tensor | None = None,
    ) -> Any:
        return self.prompt_encoder(input_points, input_labels, input_boxes, input_masks)

    def forward(
        self,
        pixel_values: Tensor | None = None,
        input_points: Tensor | None = None,
        input_labels: Tensor | None = None,
        input_boxes: Tensor | None = None,
        input_masks: Tensor | None = None,
        image_embeddings: Tensor | None = None,
        multimask_output: bool = True,
        attention_similarity: Tensor | None = None,
        target_embedding: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> ModelOutput:
        if pixel_values is None and image_embeddings is None:
            raise ValueError("Either pixel_values or image_embeddings must be provided.")
        if pixel_values is not None and image_embeddings is not None:
            raise ValueError("Only one of pixel_values and image_embeddings can be provided.")
        position_embeds = self.get_image_wide_positional_embeddings()
        batch = (pixel_values if pixel_values is not None else image_embeddings).shape[0]
        position_embeds = position_embeds.repeat(batch, 1, 1, 1)
        states = None
        if pixel_values is not None:
            seen = self.vision_encoder(pixel_values, **kwargs)
            image_embeddings = seen.last_hidden_state
            states = seen.hidden_states
        if input_points is not None and input_labels is None:
            input_labels = torch.ones_like(input_points[:, :, :, 0], dtype=torch.int, device=input_points.device)
        sparse, dense = self.prompt_encoder(input_points, input_labels, input_boxes, input_masks)
        masks, quality = self.mask_decoder(
            image_embeddings=image_embeddings,
            image_places=position_embeds,
            sparse=sparse,
            dense=dense,
            multimask_output=multimask_output,
            attention_similarity=attention_similarity,
            target_embedding=target_embedding,
        )
        return SamImageSegmentationOutput(iou_scores=quality, pred_masks=masks, vision_hidden_states=states)


register(SamVisionConfig, AutoModel=SamVisionModel)
register(SamConfig, AutoModel=SamModel, AutoModelForMaskGeneration=SamModel)
register_classes(SamPromptEncoderConfig, SamMaskDecoderConfig)
