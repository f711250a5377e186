"""levit: convolutions, then attention with batch norms and learned offsets, over fewer and fewer patches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import register
from ..modeling_outputs import (
    BaseModelOutputWithNoAttention,
    BaseModelOutputWithPoolingAndNoAttention,
    ImageClassifierOutputWithNoAttention,
)
from ..cores.vision import ImageClassifier, VisionModelBase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


class LevitConfig(PreTrainedConfig):
    model_type = "levit"
    image_size = 224
    num_channels = 3
    kernel_size = 3
    stride = 2
    padding = 1
    patch_size = 16
    hidden_sizes = (128, 256, 384)
    num_attention_heads = (4, 8, 12)
    depths = (4, 4, 4)
    key_dim = (16, 16, 16)
    drop_path_rate = 0
    mlp_ratio = (2, 2, 2)
    attention_ratio = (2, 2, 2)
    initializer_range = 0.02


class ConvNorm(nn.Module):
    def __init__(self, config: PreTrainedConfig, into: Any, out: Tensor) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(into, out, config.kernel_size, config.stride, config.padding, bias=False)
        self.batch_norm = nn.BatchNorm2d(out)

    def forward(self, embeddings: Tensor) -> Any:
        embeddings = self.convolution(embeddings)
        embeddings = self.batch_norm(embeddings)
        return embeddings


class LevitPatchEmbeddings(nn.Module):
    """Four convolutions that halve the image."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size = config.hidden_sizes[0]
        sizes = (config.num_channels, size // 8, size // 4, size // 2, size)
        for number in range(1, 5):
            setattr(self, f"embedding_layer_{number}", ConvNorm(config, sizes[number - 1], sizes[number]))
            if number < 4:
                setattr(self, f"activation_layer_{number}", nn.Hardswish())

    def forward(self, pixel_values: Tensor) -> Any:
        embeddings = self.embedding_layer_1(pixel_values)
        embeddings = self.activation_layer_1(embeddings)
        embeddings = self.embedding_layer_2(embeddings)
        embeddings = self.activation_layer_2(embeddings)
        embeddings = self.embedding_layer_3(embeddings)
        embeddings = self.activation_layer_3(embeddings)
        embeddings = self.embedding_layer_4(embeddings)
        return embeddings.flatten(2).transpose(1, 2)


class LinearNorm(nn.Module):
    def __init__(self, into: Any, out: Tensor) -> None:
        super().__init__()
        self.linear = nn.Linear(into, out, bias=False)
        self.batch_norm = nn.BatchNorm1d(out)

    def forward(self, hidden_state: Tensor) -> Any:
        hidden_state = self.linear(hidden_state)
        hidden_state = self.batch_norm(hidden_state.flatten(0, 1)).reshape_as(hidden_state)
        return hidden_state


class Subsample(nn.Module):
    """Every `stride`-th patch of a square."""

    def __init__(self, stride: int | Sequence[int], side: int) -> None:
        super().__init__()
        self.stride = stride
        self.resolution = side

    def forward(self, hidden_state: Tensor) -> Any:
        batch, _, size = hidden_state.shape
        square = hidden_state.view(batch, self.resolution, self.resolution, size)
        return square[:, :: self.stride, :: self.stride].reshape(batch, -1, size)


class OffsetAttention(nn.Module):
    """A learned number per head and offset is added to scores. Out of training it is looked up once and kept."""

    def build_biases(self, heads: int, to_side: Any, from_side: Any, stride: int | Sequence[int]) -> None:
        numbers, index = {}, []
        to_points = [(row * stride, column * stride) for row in range(to_side) for column in range(to_side)]
        from_points = [(row, column) for row in range(from_side) for column in range(from_side)]
        for row, column in to_points:
            for other_row, other_column in from_points:
                offset = (abs(row - other_row), abs(column - other_column))
                index.append(numbers.setdefault(offset, len(numbers)))
        self.attention_bias_cache = {}
        self.attention_biases = nn.Parameter(torch.zeros(heads, len(numbers)))
        table = torch.tensor(index, dtype=torch.long).view(len(to_points), len(from_points))
        self.register_buffer("attention_bias_idxs", table, persistent=False)

    def train(self, mode: bool = True) -> Any:
        result = super().train(mode)
        if mode:
            self.attention_bias_cache = {}
        return result

    def biases(self, device: torch.device | str | int) -> Any:
        if self.training:
            return self.attention_biases[:, self.attention_bias_idxs]
        key = str(device)
        if key not in self.attention_bias_cache:
            self.attention_bias_cache[key] = self.attention_biases[:, self.attention_bias_idxs]
        return self.attention_bias_cache[key]


class LevitAttention(OffsetAttention):
    def __init__(self, size: int, key_dim: Any, heads: int, ratio: Any, side: int) -> None:
        super().__init__()
        self.num_attention_heads = heads
        self.scale = key_dim**-0.5
        self.key_dim, self.attention_ratio = key_dim, ratio
        self.out_dim_projection = ratio * key_dim * heads
        self.queries_keys_values = LinearNorm(size, self.out_dim_projection + key_dim * heads * 2)
        self.activation = nn.Hardswish()
        self.projection = LinearNorm(self.out_dim_projection, size)
        self.build_biases(heads, side, side, 1)

    def forward(self, hidden_state: Tensor) -> Any:
        batch, length, _ = hidden_state.shape
        projected = self.queries_keys_values(hidden_state)
        query, key, value = projected.view(batch, length, self.num_attention_heads, -1).split(
            [self.key_dim, self.key_dim, self.attention_ratio * self.key_dim], dim=3
        )
        query = query.permute(0, 2, 1, 3)
        key = key.permute(0, 2, 1, 3)
        value = value.permute(0, 2, 1, 3)
        attention = query @ key.transpose(-2, -1) * self.scale + self.biases(hidden_state.device)
        attention = attention.softmax(dim=-1)
        hidden_state = (attention @ value).transpose(1, 2).reshape(batch, length, self.out_dim_projection)
        hidden_state = self.projection(self.activation(hidden_state))
        return hidden_state


class LevitAttentionSubsample(OffsetAttention):
    def __init__(
        self,
        into: Any,
        out: Tensor,
        key_dim: Any,
        heads: int,
        ratio: Any,
        stride: int | Sequence[int],
        side: int,
        to_side: Any,
    ) -> None:
        super().__init__()
        self.num_attention_heads = heads
        self.scale = key_dim**-0.5
        self.key_dim, self.attention_ratio = key_dim, ratio
        self.out_dim_projection = ratio * key_dim * heads
        self.resolution_out = to_side
        self.keys_values = LinearNorm(into, self.out_dim_projection + key_dim * heads)
        self.queries_subsample = Subsample(stride, side)
        self.queries = LinearNorm(into, key_dim * heads)
        self.activation = nn.Hardswish()
        self.projection = LinearNorm(self.out_dim_projection, out)
        self.build_biases(heads, to_side, side, stride)

    def forward(self, hidden_state: Tensor) -> Any:
        batch, length, _ = hidden_state.shape
        key, value = (
            self.keys_values(hidden_state)
            .view(batch, length, self.num_attention_heads, -1)
            .split([self.key_dim, self.attention_ratio * self.key_dim], dim=3)
        )
        key = key.permute(0, 2, 1, 3)
        value = value.permute(0, 2, 1, 3)
        query = self.queries(self.queries_subsample(hidden_state))
        query = query.view(batch, self.resolution_out**2, self.num_attention_heads, self.key_dim).permute(0, 2, 1, 3)
        attention = query @ key.transpose(-2, -1) * self.scale + self.biases(hidden_state.device)
        attention = attention.softmax(dim=-1)
        hidden_state = (attention @ value).transpose(1, 2).reshape(batch, -1, self.out_dim_projection)
        hidden_state = self.projection(self.activation(hidden_state))
        return hidden_state


class LevitMLP(nn.Module):
    def __init__(self, size: int, inner: int) -> None:
        super().__init__()
        self.linear_up = LinearNorm(size, inner)
        self.activation = nn.Hardswish()
        self.linear_down = LinearNorm(inner, size)

    def forward(self, hidden_state: Tensor) -> Any:
        hidden_state = self.linear_up(hidden_state)
        hidden_state = self.activation(hidden_state)
        hidden_state = self.linear_down(hidden_state)
        return hidden_state


class Residual(nn.Module):
    def __init__(self, module: torch.nn.Module, drop_rate: Any) -> None:
        super().__init__()
        self.module = module
        self.drop_rate = drop_rate

    def forward(self, hidden_state: Tensor) -> Any:
        if self.training and self.drop_rate > 0:
            kept = torch.rand(hidden_state.size(0), 1, 1, device=hidden_state.device)
            kept = kept.ge_(self.drop_rate).div(1 - self.drop_rate).detach()
            hidden_state = hidden_state + self.module(hidden_state) * kept
            return hidden_state
        hidden_state = hidden_state + self.module(hidden_state)
        return hidden_state


class LevitStage(nn.Module):
    """Layers of one size, and the step to the next size unless it is the last stage."""

    def __init__(self, config: PreTrainedConfig, index: int, side: int) -> None:
        super().__init__()
        size, key_dim, rate = config.hidden_sizes[index], config.key_dim[index], config.drop_path_rate
        self.layers = nn.ModuleList()
        for _ in range(config.depths[index]):
            heads, ratio = config.num_attention_heads[index], config.attention_ratio[index]
            self.layers.append(Residual(LevitAttention(size, key_dim, heads, ratio, side), rate))
            if config.mlp_ratio[index] > 0:
                self.layers.append(Residual(LevitMLP(size, size * config.mlp_ratio[index]), rate))
        self.side = side
        # two steps between three stages, whose keys are as wide as those of the first stage
        if index < 2:
            key_dim, out = config.key_dim[0], config.hidden_sizes[index + 1]
            self.side = (side - 1) // 2 + 1
            self.layers.append(LevitAttentionSubsample(size, out, key_dim, size // key_dim, 4, 2, side, self.side))
            self.layers.append(Residual(LevitMLP(out, out * 2), rate))

    def forward(self, hidden_state: Tensor) -> Any:
        for layer in self.layers:
            hidden_state = layer(hidden_state)
        return hidden_state


class LevitEncoder(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.stages = nn.ModuleList()
        side = config.image_size // config.patch_size
        for index in range(len(config.depths)):
            stage = LevitStage(config, index, side)
            side = stage.side
            self.stages.append(stage)

    def forward(self, hidden_state: Tensor, output_hidden_states: bool = False) -> Any:
        states = () if output_hidden_states else None
        for stage in self.stages:
            if output_hidden_states:
                states += (hidden_state,)
            hidden_state = stage(hidden_state)
        if output_hidden_states:
            states += (hidden_state,)
        return BaseModelOutputWithNoAttention(last_hidden_state=hidden_state, hidden_states=states)


class LevitClassifier(nn.Module):
    def __init__(self, size: int, count: int) -> None:
        super().__init__()
        self.batch_norm = nn.BatchNorm1d(size)
        self.linear = nn.Linear(size, count)

    def forward(self, hidden_state: Tensor) -> Any:
        hidden_state = self.batch_norm(hidden_state)
        logits = self.linear(hidden_state)
        return logits


class LevitModel(VisionModelBase):
    base_model_prefix = "levit"
    supports_gradient_checkpointing = False

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.patch_embeddings = LevitPatchEmbeddings(config)
        self.encoder = LevitEncoder(config)
        self.post_init()

    def forward(
        self,
        pixel_values: Tensor | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        **_: Any,
    ) -> tuple | ModelOutput:
        embeddings = self.patch_embeddings(pixel_values)
        encoded = self.encoder(embeddings, self.asks("output_hidden_states", output_hidden_states))
        last = encoded[0]
        pooled = last.mean(dim=1)
        return BaseModelOutputWithPoolingAndNoAttention(
            last_hidden_state=last, pooler_output=pooled, hidden_states=encoded.hidden_states
        )


class LevitForImageClassification(ImageClassifier):
    base_model_prefix = "levit"
    supports_gradient_checkpointing = False
    model_class = LevitModel
    output_class = ImageClassifierOutputWithNoAttention

    def make_model(self, config: PreTrainedConfig) -> torch.nn.Module:
        return self.model_class(config)

    def build(self, config: PreTrainedConfig) -> None:
        count = config.num_labels
        self.classifier = LevitClassifier(config.hidden_sizes[-1], count) if count > 0 else nn.Identity()

    def feature(self, outputs: Any) -> Any:
        return outputs.last_hidden_state.mean(1)


register(LevitConfig, AutoModel=LevitModel, AutoModelForImageClassification=LevitForImageClassification)
