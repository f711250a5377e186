"""swinv2: attention within windows that shift from layer to layer, by cosine, with offsets that a small network gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import Block, register
from ..modeling_outputs import SwinEncoderOutput, SwinImageClassifierOutput, SwinModelOutput
from ..cores.vision import ImageClassifier, VisionModelBase, drop_path, linear_or_nothing, pair
from .convnext import rising_rates
from .swinv2_windows import DenseDropout, SwinAttention, from_windows, into_windows, padded

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


class Swinv2Config(PreTrainedConfig):
    model_type = "swinv2"
    attribute_map = {"num_attention_heads": "num_heads", "num_hidden_layers": "num_layers"}
    image_size = 224
    patch_size = 4
    num_channels = 3
    embed_dim = 96
    depths = (2, 2, 6, 2)
    num_heads = (3, 6, 12, 24)
    window_size = 7
    pretrained_window_sizes = (0, 0, 0, 0)
    mlp_ratio = 4.0
    qkv_bias = True
    hidden_dropout_prob = 0.0
    attention_probs_dropout_prob = 0.0
    drop_path_rate = 0.1
    hidden_act = "gelu"
    use_absolute_embeddings = False
    initializer_range = 0.02
    layer_norm_eps = 1e-5
    encoder_stride = 32

    def complete(self) -> None:
        self.num_layers = len(self.depths)
        self.hidden_size = int(self.embed_dim * 2 ** (len(self.depths) - 1))


class SwinPatchEmbeddings(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        image, self.patch_size = pair(config.image_size), pair(config.patch_size)
        self.grid_size = (image[0] // self.patch_size[0], image[1] // self.patch_size[1])
        self.num_patches = self.grid_size[0] * self.grid_size[1]
        self.projection = nn.Conv2d(
            config.num_channels, config.embed_dim, kernel_size=self.patch_size, stride=self.patch_size
        )

    def forward(self, pixel_values: Tensor | None) -> tuple[Tensor, tuple[int]]:
        _, _, height, width = pixel_values.shape
        if width % self.patch_size[1]:
            pixel_values = F.pad(pixel_values, (0, -width % self.patch_size[1]))
        if height % self.patch_size[0]:
            pixel_values = F.pad(pixel_values, (0, 0, 0, -height % self.patch_size[0]))
        embeddings = self.projection(pixel_values)
        grid = tuple(embeddings.shape[2:])
        embeddings = embeddings.flatten(2).transpose(1, 2)
        return embeddings, grid


class SwinEmbeddings(nn.Module):
    def __init__(self, config: PreTrainedConfig, use_mask_token: bool = False) -> None:
        super().__init__()
        self.patch_embeddings = SwinPatchEmbeddings(config)
        self.patch_grid = self.patch_embeddings.grid_size
        size = config.embed_dim
        self.mask_token = nn.Parameter(torch.zeros(1, 1, size)) if use_mask_token else None
        self.position_embeddings = None
        if config.use_absolute_embeddings:
            self.position_embeddings = nn.Parameter(torch.zeros(1, self.patch_embeddings.num_patches + 1, size))
        self.norm = nn.LayerNorm(size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(
        self, pixel_values: Tensor | None, bool_masked_pos: Tensor | None = None, interpolate_pos_encoding: bool = False
    ) -> tuple[Tensor]:
        embeddings, grid = self.patch_embeddings(pixel_values)
        embeddings = self.norm(embeddings)
        batch, length, _ = embeddings.size()
        if bool_masked_pos is not None:
            tokens = self.mask_token.expand(batch, length, -1)
            mask = bool_masked_pos.unsqueeze(-1).type_as(tokens)
            embeddings = embeddings * (1.0 - mask) + tokens * mask
        if self.position_embeddings is not None:
            embeddings = embeddings + self.position_embeddings
        embeddings = self.dropout(embeddings)
        return embeddings, grid


class PatchMerging(nn.Module):
    """Four neighbours become one patch that is twice as wide."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.build(size)

    def build(self, size: int) -> None:
        self.reduction = nn.Linear(4 * size, 2 * size, bias=False)
        self.norm = nn.LayerNorm(2 * size)

    def finish(self, states: Tensor) -> Any:
        states = self.reduction(states)
        states = self.norm(states)
        return states

    def forward(self, states: Tensor, grid: Any) -> Any:
        height, width = grid
        batch, _, channels = states.shape
        states = states.view(batch, height, width, channels)
        if height % 2 or width % 2:
            states = padded(states, height, width, 2)
        parts = [states[:, row::2, column::2, :] for column in (0, 1) for row in (0, 1)]
        states = torch.cat(parts, -1)
        states = states.view(batch, -1, 4 * channels)
        return self.finish(states)


class SwinIntermediate(nn.Module):
    def __init__(self, config: PreTrainedConfig, size: int) -> None:
        super().__init__()
        self.dense = nn.Linear(size, int(config.mlp_ratio * size))
        self.intermediate_act_fn = ACT2FN[config.hidden_act]

    def forward(self, hidden_states: Tensor) -> Any:
        hidden_states = self.dense(hidden_states)
        hidden_states = self.intermediate_act_fn(hidden_states)
        return hidden_states


class Swinv2Layer(nn.Module):
    def __init__(
        self, config: PreTrainedConfig, size: int, grid: Any, heads: int, drop: Any, shift: Any, pretrained_window: Any
    ) -> None:
        super().__init__()
        self.window_size = min(grid[0], config.window_size)
        self.shift_size = 0 if grid[0] <= self.window_size else shift
        self.attention = SwinAttention(config, size, heads, self.window_size, pretrained_window=pretrained_window)
        self.layernorm_before = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.drop_path = drop_path(drop)
        self.intermediate = SwinIntermediate(config, size)
        self.output = DenseDropout(int(config.mlp_ratio * size), size, config.hidden_dropout_prob)
        self.layernorm_after = nn.LayerNorm(size, eps=config.layer_norm_eps)

    def mask(self, height: int, width: int, dtype: torch.dtype) -> Any:
        """Windows that hold parts from different sides of the image [windows, places, places], on the CPU."""
        if self.shift_size == 0:
            return None
        window, shift = self.window_size, self.shift_size
        parts = (slice(0, -window), slice(-window, -shift), slice(-shift, None))
        image = torch.zeros((1, height, width, 1), dtype=dtype)
        for row, rows in enumerate(parts):
            for column, columns in enumerate(parts):
                image[:, rows, columns, :] = 3 * row + column
        windows = into_windows(image, window).view(-1, window * window)
        apart = windows.unsqueeze(1) - windows.unsqueeze(2)
        return apart.masked_fill(apart != 0, -100.0).masked_fill(apart == 0, 0.0)

    def forward(self, hidden_states: Tensor, grid: Any) -> tuple[Tensor, Tensor]:
        height, width = grid
        batch, _, channels = hidden_states.size()
        shortcut = hidden_states
        hidden_states = hidden_states.view(batch, height, width, channels)
        window, shift = self.window_size, self.shift_size
        hidden_states = padded(hidden_states, height, width, window)
        _, tall, wide, _ = hidden_states.shape
        shifted = torch.roll(hidden_states, shifts=(-shift, -shift), dims=(1, 2)) if shift > 0 else hidden_states
        windows = into_windows(shifted, window)
        windows = windows.view(-1, window * window, channels)
        mask = self.mask(tall, wide, hidden_states.dtype)
        if mask is not None:
            mask = mask.to(windows.device)
        outputs = self.attention(windows, mask)
        attended = outputs[0]
        back = attended.view(-1, window, window, channels)
        whole = from_windows(back, window, tall, wide)
        back = torch.roll(whole, shifts=(shift, shift), dims=(1, 2)) if shift > 0 else whole
        if tall > height or wide > width:
            back = back[:, :height, :width, :].contiguous()
        back = back.view(batch, height * width, channels)
        hidden_states = self.layernorm_before(back)
        hidden_states = shortcut + self.drop_path(hidden_states)
        output = self.intermediate(hidden_states)
        output = self.output(output)
        output = hidden_states + self.drop_path(self.layernorm_after(output))
        return (output,)


class SwinStage(Block):
    def __init__(self, config: PreTrainedConfig, blocks: Any, downsample: Any) -> None:
        super().__init__()
        self.config = config
        self.blocks = nn.ModuleList(blocks)
        self.downsample = downsample

    def forward(self, hidden_states: Tensor, grid: Any) -> tuple[Tensor, Tensor, Tensor | None]:
        height, width = grid
        for layer in self.blocks:
            outputs = layer(hidden_states, grid)
            hidden_states = outputs[0]
        before = hidden_states
        after_grid = grid
        if self.downsample is not None:
            after_grid = ((height + 1) // 2, (width + 1) // 2)
            hidden_states = self.downsample(before, grid)
        return hidden_states, before, after_grid


class Swinv2Encoder(nn.Module):
    def __init__(self, config: PreTrainedConfig, grid: Any) -> None:
        super().__init__()
        self.config = config
        self.layers = nn.ModuleList()
        rates = rising_rates(config.drop_path_rate, config.depths)
        for index, depth in enumerate(config.depths):
            size = int(config.embed_dim * 2**index)
            side = (grid[0] // 2**index, grid[1] // 2**index)
            last = index == len(config.depths) - 1
            blocks = (self.layer(config, index, number, size, side, rates[index][number]) for number in range(depth))
            self.layers.append(SwinStage(config, blocks, None if last else self.merging(size)))
        self.gradient_checkpointing = False

    def layer(
        self, config: PreTrainedConfig, index: int, number: int, size: int, side: int, rate: float
    ) -> Swinv2Layer:
        shift = config.window_size // 2 if number % 2 else 0
        pretrained = (config.pretrained_window_sizes or (0,) * len(config.depths))[index]
        return Swinv2Layer(config, size, side, config.num_heads[index], rate, shift, pretrained)

    def merging(self, size: int) -> PatchMerging:
        return PatchMerging(size)

    def forward(
        self, hidden_states: Tensor, grid: Any, output_hidden_states: bool | None = False
    ) -> tuple | ModelOutput:
        states = reshaped = () if output_hidden_states else None
        if output_hidden_states:
            states, reshaped = self.record(states, reshaped, hidden_states, grid)
        for layer in self.layers:
            outputs = layer(hidden_states, grid)
            hidden_states, _before, grid = outputs
            if output_hidden_states:
                states, reshaped = self.record(states, reshaped, hidden_states, grid)
        return SwinEncoderOutput(last_hidden_state=hidden_states, hidden_states=states, reshaped_hidden_states=reshaped)

    def record(self, states: Tensor, reshaped: Any, hidden_states: Tensor, grid: Any) -> tuple:
        batch, _, size = hidden_states.shape
        square = hidden_states.view(batch, *grid, size).permute(0, 3, 1, 2)
        return states + (hidden_states,), reshaped + (square,)


class Swinv2Model(VisionModelBase):
    base_model_prefix = "swinv2"
    encoder_class = Swinv2Encoder

    def __init__(self, config: PreTrainedConfig, add_pooling_layer: bool = True, use_mask_token: bool = False) -> None:
        super().__init__(config)
        self.num_features = int(config.embed_dim * 2 ** (len(config.depths) - 1))
        self.embeddings = SwinEmbeddings(config, use_mask_token)
        self.encoder = self.encoder_class(config, self.embeddings.patch_grid)
        self.layernorm = nn.LayerNorm(self.num_features, eps=config.layer_norm_eps)
        self.pooler = nn.AdaptiveAvgPool1d(1) if add_pooling_layer else None
        self.post_init()

    def forward(
        self,
        pixel_values: Tensor | None = None,
        bool_masked_pos: Tensor | None = None,
        output_hidden_states: bool | None = None,
        interpolate_pos_encoding: bool = False,
        return_dict: bool | None = None,
        **_: Any,
    ) -> tuple | ModelOutput:
        embedded, grid = self.embeddings(pixel_values, bool_masked_pos, interpolate_pos_encoding)
        encoded = self.encoder(embedded, grid, self.asks("output_hidden_states", output_hidden_states))
        last = encoded[0]
        last = self.layernorm(last)
        pooled = None
        if self.pooler is not None:
            pooled = self.pooler(last.transpose(1, 2))
            pooled = torch.flatten(pooled, 1)
        return SwinModelOutput(
            last_hidden_state=last,
            pooler_output=pooled,
            hidden_states=encoded.hidden_states,
            reshaped_hidden_states=encoded.reshaped_hidden_states,
        )


class Swinv2ForImageClassification(ImageClassifier):
    base_model_prefix = "swinv2"
    model_class = Swinv2Model
    output_class = SwinImageClassifierOutput

    def make_model(self, config: PreTrainedConfig) -> torch.nn.Module:
        return self.model_class(config)

    def build(self, config: PreTrainedConfig) -> None:
        self.classifier = linear_or_nothing(self.base_model.num_features, config.num_labels)

    def feature(self, outputs: Any) -> Any:
        return outputs.pooler_output


register(Swinv2Config, AutoModel=Swinv2Model, AutoModelForImageClassification=Swinv2ForImageClassification)
