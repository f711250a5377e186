"""sam's encoder of large images: attention within windows, with offsets by row and column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..cores.capturing import collects
from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import Block
from ..modeling_outputs import output_class
from ..cores.vision import VisionModelBase, pair

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


SamVisionEncoderOutput = output_class(
    "SamVisionEncoderOutput", "image_embeds last_hidden_state hidden_states attentions"
)


class SamVisionConfig(PreTrainedConfig):
    model_type = "sam_vision_model"
    hidden_size = 768
    output_channels = 256
    num_hidden_layers = 12
    num_attention_heads = 12
    num_channels = 3
    image_size = 1024
    patch_size = 16
    hidden_act = "gelu"
    layer_norm_eps = 1e-6
    attention_dropout = 0.0
    initializer_range = 1e-10
    qkv_bias = True
    mlp_ratio = 4.0
    use_abs_pos = True
    use_rel_pos = True
    window_size = 14
    global_attn_indexes = (2, 5, 8, 11)
    num_pos_feats = 128
    mlp_dim = None

    def complete(self) -> None:
        self.mlp_dim = int(self.hidden_size * self.mlp_ratio) if self.mlp_dim is None else self.mlp_dim
        self.scale = self.hidden_size // 2


class SamMLP(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.lin1 = nn.Linear(config.hidden_size, config.mlp_dim)
        self.lin2 = nn.Linear(config.mlp_dim, config.hidden_size)
        self.act = ACT2FN[config.hidden_act]

    def forward(self, hidden_states: Tensor) -> Any:
        hidden_states = self.lin1(hidden_states)
        hidden_states = self.act(hidden_states)
        hidden_states = self.lin2(hidden_states)
        return hidden_states


class ChannelNorm(nn.LayerNorm):
    """A norm over the channels of [batch, channels, height, width]."""

    def __init__(self, size: int, eps: float = 1e-6) -> None:
        super().__init__(size, eps=eps)

    def forward(self, features: Any) -> Any:
        features = features.permute(0, 2, 3, 1)
        features = super().forward(features)
        features = features.permute(0, 3, 1, 2)
        return features


class SamPatches(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.image_size = pair(config.image_size)
        self.num_channels = config.num_channels
        self.projection = nn.Conv2d(
            config.num_channels, config.hidden_size, kernel_size=pair(config.patch_size), stride=pair(config.patch_size)
        )

    def forward(self, pixel_values: Tensor) -> Any:
        _, channels, height, width = pixel_values.shape
        if channels != self.num_channels:
            raise ValueError(
                "Make sure that the channel dimension of the pixel values match with the one set in the configuration."
            )
        if (height, width) != tuple(self.image_size):
            raise ValueError(
                f"Input image size ({height}*{width}) doesn't match model ({self.image_size[0]}*{self.image_size[1]})."
            )
        embeddings = self.projection(pixel_values).permute(0, 2, 3, 1)
        return embeddings


class SamVisionAttention(nn.Module):
    """Every patch of a window, or of the image if `window` is 0; learned biases by distance along each side."""

    def __init__(self, config: PreTrainedConfig, window: int) -> None:
        super().__init__()
        self.config = config
        self.heads = config.num_attention_heads
        size = config.hidden_size // self.heads
        self.scale = size**-0.5
        self.dropout = config.attention_dropout
        self.qkv = nn.Linear(config.hidden_size, config.hidden_size * 3, bias=config.qkv_bias)
        self.proj = nn.Linear(config.hidden_size, config.hidden_size)
        if config.use_rel_pos:
            side = window or config.image_size // config.patch_size
            self.rel_pos_h = nn.Parameter(torch.zeros(2 * side - 1, size))
            self.rel_pos_w = nn.Parameter(torch.zeros(2 * side - 1, size))

    def along(self, side: int, table: Any) -> Any:
        """Entries of the table for each pair of places along a side [side, side, size]."""
        reach = 2 * side - 1
        table = F.interpolate(table.reshape(1, table.shape[0], -1).transpose(1, 2), size=reach, mode="linear")
        table = table.reshape(-1, reach).permute(1, 0)
        apart = torch.arange(side)[:, None] - torch.arange(side)[None, :] + (side - 1) * 1.0
        return table[apart.long()]

    def bias(self, query: Tensor, height: int, width: int) -> Any:
        tall = self.along(height, self.rel_pos_h)
        wide = self.along(width, self.rel_pos_w)
        grid = query.reshape(query.shape[0], height, width, query.shape[-1])
        by_row = torch.einsum("bhwc,hkc->bhwk", grid, tall)
        by_column = torch.einsum("bhwc,wkc->bhwk", grid, wide)
        total = by_row[:, :, :, :, None] + by_column[:, :, :, None, :]
        return total

    def eager(self, query: Tensor, key: Tensor, value: Tensor, height: int, width: int) -> tuple:
        weights = query * self.scale @ key.transpose(-2, -1)
        if self.config.use_rel_pos:
            bias = self.bias(query, height, width)
            bias = bias.reshape_as(weights)
            weights = weights + bias
        weights = F.softmax(weights, dtype=torch.float32, dim=-1).to(query.dtype)
        kept = F.dropout(weights, p=self.dropout, training=self.training)
        return kept @ value, (weights, kept)

    def fused(self, query: Tensor, key: Tensor, value: Tensor, height: int, width: int) -> tuple:
        count, length = query.shape[0], height * width
        batch = count // self.heads
        bias = None
        if self.config.use_rel_pos:
            bias = self.bias(query, height, width).reshape(batch, self.heads, length, length)
        query, key, value = (t.view(batch, self.heads, length, -1) for t in (query, key, value))
        return F.scaled_dot_product_attention(query, key, value, attn_mask=bias), (bias,)

    def forward(self, hidden_states: Tensor) -> tuple[Tensor, Tensor]:
        batch, height, width, _ = hidden_states.shape
        qkv = self.qkv(hidden_states).reshape(batch, height * width, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        query, key, value = qkv.reshape(3, batch * self.heads, height * width, -1).unbind(0)
        attend = self.eager if self.config._attn_implementation == "eager" else self.fused
        output, kept = attend(query, key, value, height, width)
        output = output.reshape(batch, self.heads, height, width, -1)
        output = output.permute(0, 2, 3, 1, 4).reshape(batch, height, width, -1)
        output = self.proj(output)
        return output, None


class SamVisionLayer(Block):
    def __init__(self, config: PreTrainedConfig, window: int) -> None:
        super().__init__()
        self.layer_norm1 = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.attn = SamVisionAttention(config, window)
        self.layer_norm2 = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.mlp = SamMLP(config)
        self.window_size = window

    def cut(self, states: Tensor) -> tuple:
        """Windows [windows, size, size, channels], and how large the image is with what fills it up."""
        size = self.window_size
        batch, height, width, channels = states.shape
        below, beside = -height % size, -width % size
        states = F.pad(states, (0, 0, 0, beside, 0, below))
        height, width = height + below, width + beside
        states = states.reshape(batch, height // size, size, width // size, size, channels)
        windows = states.permute(0, 1, 3, 2, 4, 5).contiguous().reshape(-1, size, size, channels)
        return windows, (height, width)

    def join(self, windows: Any, filled: Any, height: int, width: int) -> Any:
        size = self.window_size
        tall, wide = filled
        batch = windows.shape[0] // (tall * wide // size // size)
        states = windows.reshape(batch, tall // size, wide // size, size, size, -1)
        states = states.permute(0, 1, 3, 2, 4, 5).contiguous().reshape(batch, tall, wide, -1)
        states = states[:, :height, :width, :].contiguous()
        return states

    def forward(self, hidden_states: Tensor) -> tuple[Tensor]:
        residual = hidden_states
        hidden_states = self.layer_norm1(hidden_states)
        if self.window_size > 0:
            height, width = hidden_states.shape[1], hidden_states.shape[2]
            hidden_states, filled = self.cut(hidden_states)
        hidden_states, _ = self.attn(hidden_states=hidden_states)
        if self.window_size > 0:
            hidden_states = self.join(hidden_states, filled, height, width)
        hidden_states = residual + hidden_states
        normed = self.layer_norm2(hidden_states)
        hidden_states = hidden_states + self.mlp(normed)
        return hidden_states


class SamNeck(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size = config.output_channels
        self.conv1 = nn.Conv2d(config.hidden_size, size, kernel_size=1, bias=False)
        self.layer_norm1 = ChannelNorm(size)
        self.conv2 = nn.Conv2d(size, size, kernel_size=3, padding=1, bias=False)
        self.layer_norm2 = ChannelNorm(size)

    def forward(self, hidden_states: Tensor) -> Any:
        hidden_states = hidden_states.permute(0, 3, 1, 2)
        hidden_states = self.conv1(hidden_states)
        hidden_states = self.layer_norm1(hidden_states)
        hidden_states = self.conv2(hidden_states)
        hidden_states = self.layer_norm2(hidden_states)
        return hidden_states


class SamVisionEncoder(VisionModelBase):
    records = {"hidden_states": SamVisionLayer, "attentions": SamVisionAttention}

    base_model_prefix = "sam"

    def __init__(self, config: SamVisionConfig) -> None:
        super().__init__(config)
        self.patch_embed = SamPatches(config)
        self.pos_embed = None
        if config.use_abs_pos:
            side = config.image_size // config.patch_size
            self.pos_embed = nn.Parameter(torch.zeros(1, side, side, config.hidden_size))
        self.layers = nn.ModuleList(
            SamVisionLayer(config, 0 if index in config.global_attn_indexes else config.window_size)
            for index in range(config.num_hidden_layers)
        )
        self.neck = SamNeck(config)
        self.gradient_checkpointing = False
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.patch_embed

    @collects(ties_last=False)
    def forward(self, pixel_values: Tensor | None = None, **_: Any) -> tuple | ModelOutput:
        if pixel_values is None:
            raise ValueError("You have to specify pixel_values")
        hidden_states = self.patch_embed(pixel_values)
        if self.pos_embed is not None:
            hidden_states = hidden_states + self.pos_embed
        for layer in self.layers:
            hidden_states = layer(hidden_states)
        hidden_states = self.neck(hidden_states)
        return SamVisionEncoderOutput(last_hidden_state=hidden_states)


class SamVisionModel(VisionModelBase):
    base_model_prefix = "sam"

    def __init__(self, config: SamVisionConfig) -> None:
        super().__init__(config)
        self.vision_encoder = SamVisionEncoder(config)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.vision_encoder.patch_embed

    def forward(self, pixel_values: Tensor | None = None, **kwargs: Any) -> tuple | ModelOutput:
        return self.vision_encoder(pixel_values, **kwargs)
