"""layoutlmv3's embeddings and layers: attention moved by how far apart two tokens are, in order and on the page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
import torch
from torch import nn
from torch.nn import functional as F

from ..cores.encoder import AddNorm, EncoderConfig, EncoderLayer

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class LayoutLMv3Config(EncoderConfig):
    model_type = "layoutlmv3"
    vocab_size = 50265
    layer_norm_eps = 1e-5
    pad_token_id = 1
    bos_token_id = 0
    eos_token_id = 2
    max_2d_position_embeddings = 1024
    coordinate_size = 128
    shape_size = 128
    has_relative_attention_bias = True
    rel_pos_bins = 32
    max_rel_pos = 128
    rel_2d_pos_bins = 64
    max_rel_2d_pos = 256
    has_spatial_attention_bias = True
    text_embed = True
    visual_embed = True
    input_size = 224
    num_channels = 3
    patch_size = 16


class TextEmbeddings(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size, most_positions = config.hidden_size, config.max_2d_position_embeddings
        self.padding_idx = config.pad_token_id
        self.word_embeddings = nn.Embedding(config.vocab_size, size, padding_idx=self.padding_idx)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, size)
        self.LayerNorm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        positions = config.max_position_embeddings
        self.register_buffer("position_ids", torch.arange(positions).expand((1, -1)), persistent=False)
        self.position_embeddings = nn.Embedding(positions, size, padding_idx=self.padding_idx)
        self.x_position_embeddings = nn.Embedding(most_positions, config.coordinate_size)
        self.y_position_embeddings = nn.Embedding(most_positions, config.coordinate_size)
        self.h_position_embeddings = nn.Embedding(most_positions, config.shape_size)
        self.w_position_embeddings = nn.Embedding(most_positions, config.shape_size)

    def positions_of(self, input_ids: Tensor) -> Any:
        kept = input_ids.ne(self.padding_idx).int()
        counted = torch.cumsum(kept, dim=1).type_as(kept) * kept
        return counted.long() + self.padding_idx

    def positions_along(self, embeds: Tensor) -> Any:
        shape = embeds.size()[:-1]
        first = self.padding_idx + 1
        positions = torch.arange(first, shape[1] + first, dtype=torch.long, device=embeds.device)
        return positions.unsqueeze(0).expand(shape)

    def spatial(self, bbox: Tensor) -> Any:
        left = self.x_position_embeddings(bbox[:, :, 0])
        upper = self.y_position_embeddings(bbox[:, :, 1])
        right = self.x_position_embeddings(bbox[:, :, 2])
        lower = self.y_position_embeddings(bbox[:, :, 3])
        height = self.h_position_embeddings(torch.clip(bbox[:, :, 3] - bbox[:, :, 1], 0, 1023))
        width = self.w_position_embeddings(torch.clip(bbox[:, :, 2] - bbox[:, :, 0], 0, 1023))
        together = torch.cat([left, upper, right, lower, height, width], dim=-1)
        return together

    def forward(
        self,
        input_ids: Tensor | None = None,
        bbox: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
    ) -> Any:
        if position_ids is None:
            position_ids = (
                self.positions_of(input_ids) if input_ids is not None else self.positions_along(inputs_embeds)
            )
        if inputs_embeds is None:
            inputs_embeds = self.word_embeddings(input_ids)
        types = self.token_type_embeddings(token_type_ids)
        embeddings = inputs_embeds + types
        positions = self.position_embeddings(position_ids)
        embeddings += positions
        spatial = self.spatial(bbox)
        embeddings = embeddings + spatial
        embeddings = self.LayerNorm(embeddings)
        embeddings = self.dropout(embeddings)
        return embeddings


class PagePatches(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.proj = nn.Conv2d(
            config.num_channels, config.hidden_size, kernel_size=config.patch_size, stride=config.patch_size
        )

    def forward(self, pixel_values: Tensor) -> Any:
        embeddings = self.proj(pixel_values)
        embeddings = embeddings.flatten(2).transpose(1, 2)
        return embeddings


class LayoutSelfAttention(nn.Module):
    """Scores are shrunk before the softmax, and grown again when the greatest is gone."""

    shrink = 32

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.heads = config.num_attention_heads
        self.size = config.hidden_size // self.heads
        if self.heads * self.size != config.hidden_size:
            raise ValueError(
                f"The hidden size ({config.hidden_size}) is not a multiple of the number of attention heads ({self.heads})"
            )
        for name in ("query", "key", "value"):
            setattr(self, name, nn.Linear(config.hidden_size, config.hidden_size))
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)
        self.by_distance = config.has_relative_attention_bias
        self.by_place = config.has_spatial_attention_bias

    def split(self, states: Tensor) -> Any:
        return states.view(states.shape[0], -1, self.heads, self.size).transpose(1, 2)

    def softmax(self, scores: Tensor) -> Any:
        shrunk = scores / self.shrink
        most = shrunk.amax(dim=-1).unsqueeze(-1)
        grown = (shrunk - most) * self.shrink
        return F.softmax(grown, dim=-1)

    def forward(
        self, hidden_states: Tensor, attention_mask: Tensor | None = None, rel_pos: Any = None, rel_2d_pos: Any = None
    ) -> tuple:
        query = self.split(self.query(hidden_states))
        key = self.split(self.key(hidden_states))
        value = self.split(self.value(hidden_states))
        root = math.sqrt(self.size)
        scores = torch.matmul(query / root, key.transpose(-1, -2))
        if self.by_distance and self.by_place:
            scores += (rel_pos + rel_2d_pos) / root
        elif self.by_distance:
            scores += rel_pos / root
        if attention_mask is not None:
            scores = scores + attention_mask
        weights = self.softmax(scores)
        weights = self.dropout(weights)
        output = torch.matmul(weights, value)
        output = output.permute(0, 2, 1, 3).contiguous()
        output = output.view(*output.size()[:-2], -1)
        return output, weights


class LayoutAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig, **_: Any) -> None:
        super().__init__()
        self.self = LayoutSelfAttention(config)
        self.output = AddNorm(config, config.hidden_size)

    def forward(
        self, hidden_states: Tensor, attention_mask: Tensor | None = None, rel_pos: Any = None, rel_2d_pos: Any = None
    ) -> tuple:
        attended, _ = self.self(hidden_states, attention_mask, rel_pos=rel_pos, rel_2d_pos=rel_2d_pos)
        attended = self.output(attended, hidden_states)
        return attended, None


class LayoutLayer(EncoderLayer):
    attention_class = LayoutAttention


def bucket(distance: Any, count: int, most: Any) -> Any:
    """A number below `count` for each distance: sign and size, exact for near ones."""
    count //= 2
    found = 0
    found += (distance > 0).long() * count
    far = torch.abs(distance)
    exact = count // 2
    near = far < exact
    large = exact + (torch.log(far.float() / exact) / math.log(most / exact) * (count - exact)).to(torch.long)
    large = torch.min(large, torch.full_like(large, count - 1))
    found += torch.where(near, far, large)
    return found


class LayoutEncoder(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.config = config
        self.layer = nn.ModuleList(LayoutLayer(config) for _ in range(config.num_hidden_layers))
        heads = config.num_attention_heads
        if config.has_relative_attention_bias:
            self.rel_pos_bias = nn.Linear(config.rel_pos_bins, heads, bias=False)
        if config.has_spatial_attention_bias:
            self.rel_pos_x_bias = nn.Linear(config.rel_2d_pos_bins, heads, bias=False)
            self.rel_pos_y_bias = nn.Linear(config.rel_2d_pos_bins, heads, bias=False)

    def look_up(self, table: Any, buckets: Any) -> Any:
        return table.weight.t()[buckets].permute(0, 3, 1, 2)

    def by_distance(self, position_ids: Tensor) -> Any:
        distance = position_ids.unsqueeze(-2) - position_ids.unsqueeze(-1)
        bias = bucket(distance, self.config.rel_pos_bins, self.config.max_rel_pos)
        with torch.no_grad():
            bias = self.look_up(self.rel_pos_bias, bias)
        bias = bias.contiguous()
        return bias

    def by_place(self, bbox: Tensor) -> Any:
        config = self.config
        x, y = bbox[:, :, 0], bbox[:, :, 3]
        apart_x = x.unsqueeze(-2) - x.unsqueeze(-1)
        apart_y = y.unsqueeze(-2) - y.unsqueeze(-1)
        bias_x = bucket(apart_x, config.rel_2d_pos_bins, config.max_rel_2d_pos)
        bias_y = bucket(apart_y, config.rel_2d_pos_bins, config.max_rel_2d_pos)
        with torch.no_grad():
            bias_x = self.look_up(self.rel_pos_x_bias, bias_x)
            bias_y = self.look_up(self.rel_pos_y_bias, bias_y)
        bias_x = bias_x.contiguous()
        bias_y = bias_y.contiguous()
        bias = bias_x + bias_y
        return bias

    def forward(
        self,
        hidden_states: Tensor,
        bbox: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
    ) -> Any:
        rel_pos = self.by_distance(position_ids) if self.config.has_relative_attention_bias else None
        rel_2d_pos = self.by_place(bbox) if self.config.has_spatial_attention_bias else None
        for layer in self.layer:
            hidden_states = layer(hidden_states, attention_mask, rel_pos=rel_pos, rel_2d_pos=rel_2d_pos)
        return hidden_states
