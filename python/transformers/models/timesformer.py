"""timesformer: each patch looks along time, then over its frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..cores.capturing import Recorded, collects
from ..parts.losses import sequence_classification_loss
from ..modeling_utils import Block, register
from ..modeling_outputs import BaseModelOutput
from ..cores.vision import ImageClassifier, VisionConfig, VisionModelBase, drop_path, pair

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput
    from transformers.configuration_utils import PreTrainedConfig


_KINDS = ("divided_space_time", "space_only", "joint_space_time")


class TimesformerConfig(VisionConfig):
    model_type = "timesformer"
    num_frames = 8
    layer_norm_eps = 1e-6
    attention_type = "divided_space_time"
    drop_path_rate = 0


class FramePatches(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        image, patch = pair(config.image_size), pair(config.patch_size)
        self.num_patches = (image[1] // patch[1]) * (image[0] // patch[0])
        self.projection = nn.Conv2d(config.num_channels, config.hidden_size, kernel_size=patch, stride=patch)

    def forward(self, pixel_values: Tensor) -> tuple:
        batch, frames, channels, height, width = pixel_values.shape
        pixel_values = pixel_values.reshape(batch * frames, channels, height, width)
        embeddings = self.projection(pixel_values)
        columns = embeddings.size(-1)
        embeddings = embeddings.flatten(2).transpose(1, 2)
        return embeddings, frames, columns


class TimesformerEmbeddings(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size = config.hidden_size
        self.attention_type = config.attention_type
        self.patch_embeddings = FramePatches(config)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, size))
        self.position_embeddings = nn.Parameter(torch.zeros(1, self.patch_embeddings.num_patches + 1, size))
        self.pos_drop = nn.Dropout(p=config.hidden_dropout_prob)
        if self.attention_type != "space_only":
            self.time_embeddings = nn.Parameter(torch.zeros(1, config.num_frames, size))
            self.time_drop = nn.Dropout(p=config.hidden_dropout_prob)

    def position_embeds(self, embeddings: Tensor, columns: Any) -> Any:
        if embeddings.size(1) == self.position_embeddings.size(1):
            return self.position_embeddings
        first = self.position_embeddings[0, 0, :].unsqueeze(0).unsqueeze(1)
        rest = self.position_embeddings[0, 1:, :].unsqueeze(0).transpose(1, 2)
        side = int(rest.size(2) ** 0.5)
        rest = rest.reshape(1, embeddings.size(2), side, side)
        rest = F.interpolate(rest, size=(embeddings.size(1) // columns, columns), mode="nearest")
        rest = rest.flatten(2)
        rest = rest.transpose(1, 2)
        return torch.cat((first, rest), 1)

    def times(self, frames: Any) -> Any:
        if frames == self.time_embeddings.size(1):
            return self.time_embeddings
        times = self.time_embeddings.transpose(1, 2)
        return F.interpolate(times, size=frames, mode="nearest").transpose(1, 2)

    def forward(self, pixel_values: Tensor) -> Any:
        batch = pixel_values.shape[0]
        embeddings, frames, columns = self.patch_embeddings(pixel_values)
        tokens = self.cls_token.expand(embeddings.size(0), -1, -1)
        embeddings = torch.cat((tokens, embeddings), dim=1)
        embeddings = embeddings + self.position_embeds(embeddings, columns)
        embeddings = self.pos_drop(embeddings)
        if self.attention_type != "space_only":
            tokens = embeddings[:batch, 0, :].unsqueeze(1)
            embeddings = embeddings[:, 1:]
            _, count, size = embeddings.shape
            embeddings = (
                embeddings.reshape(batch, frames, count, size).permute(0, 2, 1, 3).reshape(batch * count, frames, size)
            )
            embeddings = embeddings + self.times(frames)
            embeddings = self.time_drop(embeddings)
            embeddings = embeddings.view(batch, count, frames, size).reshape(batch, count * frames, size)
            embeddings = torch.cat((tokens, embeddings), dim=1)
        return embeddings


class TimesformerSelfAttention(nn.Module):
    def __init__(self, config: TimesformerConfig) -> None:
        super().__init__()
        self.num_heads = config.num_attention_heads
        self.scale = (config.hidden_size // self.num_heads) ** -0.5
        self.qkv = nn.Linear(config.hidden_size, config.hidden_size * 3, bias=config.qkv_bias)
        self.attn_drop = nn.Dropout(config.attention_probs_dropout_prob)

    def forward(self, hidden_states: Tensor) -> Any:
        batch, length, size = hidden_states.shape
        both = (
            self.qkv(hidden_states)
            .reshape(batch, length, 3, self.num_heads, size // self.num_heads)
            .permute(2, 0, 3, 1, 4)
        )
        query, key, value = both[0], both[1], both[2]
        weights = query @ key.transpose(-2, -1) * self.scale
        weights = weights.softmax(dim=-1)
        weights = self.attn_drop(weights)
        output = (weights @ value).transpose(1, 2).reshape(batch, length, size)
        outputs = (output, weights)
        return outputs


class Projected(nn.Module):
    """A projection, an activation unless it is None, dropout."""

    def __init__(self, config: PreTrainedConfig, into: Any, out: Tensor, act: Callable | None = None) -> None:
        super().__init__()
        self.dense = nn.Linear(into, out)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        if act is not None:
            self.intermediate_act_fn = ACT2FN[act]
        self.acts = act is not None

    def forward(self, hidden_states: Tensor) -> Any:
        hidden_states = self.dense(hidden_states)
        if self.acts:
            hidden_states = self.intermediate_act_fn(hidden_states)
        hidden_states = self.dropout(hidden_states)
        return hidden_states


class TimesformerAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.attention = TimesformerSelfAttention(config)
        self.output = Projected(config, config.hidden_size, config.hidden_size)

    def forward(self, hidden_states: Tensor) -> Any:
        attended = self.attention(hidden_states)[0]
        output = self.output(attended)
        outputs = (output,)
        return outputs


class TimesformerLayer(Block):
    def __init__(self, config: TimesformerConfig, index: int) -> None:
        super().__init__()
        if config.attention_type not in _KINDS:
            raise ValueError(f"Unknown attention type: {config.attention_type}")
        self.config = config
        size = config.hidden_size
        self.drop_path = drop_path(config.drop_path_rate * index / max(config.num_hidden_layers - 1, 1))
        self.attention = TimesformerAttention(config)
        self.intermediate = Projected(config, size, config.intermediate_size, config.hidden_act)
        self.output = Projected(config, config.intermediate_size, size)
        self.layernorm_before = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.layernorm_after = nn.LayerNorm(size, eps=config.layer_norm_eps)
        if config.attention_type == "divided_space_time":
            self.temporal_layernorm = nn.LayerNorm(size, eps=config.layer_norm_eps)
            self.temporal_attention = TimesformerAttention(config)
            self.temporal_dense = nn.Linear(size, size)

    def forward(self, hidden_states: Tensor) -> Any:
        if self.config.attention_type == "divided_space_time":
            return self.divided(hidden_states)
        attended = self.attention(self.layernorm_before(hidden_states))
        output = attended[0]
        hidden_states = hidden_states + self.drop_path(output)
        result = self.layernorm_after(hidden_states)
        result = self.intermediate(result)
        result = self.output(result)
        result = hidden_states + self.drop_path(result)
        return (result,)

    def divided(self, hidden_states: Tensor) -> tuple:
        frames = self.config.num_frames
        columns = self.config.image_size // self.config.patch_size
        batch, length, size = hidden_states.shape
        rows = (length - 1) // frames // columns
        count = rows * columns
        temporal = hidden_states[:, 1:, :]
        temporal = temporal.reshape(batch, rows, columns, frames, size).reshape(batch * count, frames, size)
        along = self.temporal_attention(self.temporal_layernorm(temporal))
        attended = along[0]
        by_time = self.drop_path(attended)
        by_time = by_time.reshape(batch, rows, columns, frames, size).reshape(batch, count * frames, size)
        by_time = self.temporal_dense(by_time)
        temporal = hidden_states[:, 1:, :] + by_time
        first = hidden_states[:, 0, :].unsqueeze(1)
        token = first.repeat(1, frames, 1)
        token = token.reshape(batch * frames, 1, size)
        spatial = temporal
        spatial = (
            spatial.reshape(batch, rows, columns, frames, size)
            .permute(0, 3, 1, 2, 4)
            .reshape(batch * frames, count, size)
        )
        spatial = torch.cat((token, spatial), 1)
        over = self.attention(self.layernorm_before(spatial))
        attended = over[0]
        by_space = self.drop_path(attended)
        token = by_space[:, 0, :]
        token = token.reshape(batch, frames, size)
        token = torch.mean(token, 1, True)
        by_space = by_space[:, 1:, :]
        by_space = (
            by_space.reshape(batch, frames, rows, columns, size)
            .permute(0, 2, 3, 1, 4)
            .reshape(batch, count * frames, size)
        )
        hidden_states = temporal
        hidden_states = torch.cat((first, hidden_states), 1) + torch.cat((token, by_space), 1)
        output = self.layernorm_after(hidden_states)
        output = self.intermediate(output)
        output = self.output(output)
        output = hidden_states + self.drop_path(output)
        return (output,)


class TimesformerEncoder(nn.Module):
    def __init__(self, config: TimesformerConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(TimesformerLayer(config, index) for index in range(config.num_hidden_layers))
        self.gradient_checkpointing = False

    def forward(self, hidden_states: Tensor) -> tuple | ModelOutput:
        for layer in self.layer:
            outputs = layer(hidden_states)
            hidden_states = outputs[0]
        return BaseModelOutput(last_hidden_state=hidden_states)


class TimesformerModel(VisionModelBase):
    base_model_prefix = "timesformer"
    # of two attentions in a layer, the one over places
    records = {
        "hidden_states": TimesformerLayer,
        "attentions": Recorded(TimesformerSelfAttention, index=1, within=".attention.attention"),
    }

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.embeddings = TimesformerEmbeddings(config)
        self.encoder = TimesformerEncoder(config)
        self.layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.post_init()

    @collects(ties_last=False)
    def forward(self, pixel_values: Tensor, **_: Any) -> tuple[Tensor] | ModelOutput:
        embedded = self.embeddings(pixel_values)
        encoded = self.encoder(embedded)
        last = encoded[0]
        last = self.layernorm(last)
        return BaseModelOutput(last_hidden_state=last)


class TimesformerForVideoClassification(ImageClassifier):
    base_model_prefix = "timesformer"
    model_class = TimesformerModel

    def make_model(self, config: PreTrainedConfig) -> torch.nn.Module:
        return self.model_class(config)

    def feature(self, outputs: Any) -> Any:
        return outputs[0][:, 0]

    def loss_function(self, labels: Tensor, logits: Tensor, config: PreTrainedConfig) -> Any:
        return sequence_classification_loss(labels, logits, config)


register(
    TimesformerConfig,
    AutoModel=TimesformerModel,
    AutoModelForVideoClassification=TimesformerForVideoClassification,
)
