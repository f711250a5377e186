"""swinv2's attention within windows: how windows are cut and joined, and the offsets within one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
import torch
from torch import nn
from torch.nn import functional as F

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


def into_windows(states: Tensor, size: int) -> Any:
    """[batch, height, width, channels] to [batch * windows, size, size, channels]."""
    batch, height, width, channels = states.shape
    states = states.view(batch, height // size, size, width // size, size, channels)
    return states.transpose(2, 3).contiguous().view(-1, size, size, channels)


def from_windows(windows: Any, size: int, height: int, width: int) -> Any:
    channels = windows.shape[-1]
    windows = windows.view(-1, height // size, width // size, size, size, channels)
    return windows.transpose(2, 3).contiguous().view(-1, height, width, channels)


def offset_index(side: int) -> Any:
    """For each pair of places in a window, which row of the table of offsets is theirs."""
    coordinates = torch.arange(side)
    coordinates = torch.flatten(torch.stack(torch.meshgrid([coordinates, coordinates], indexing="ij")), 1)
    apart = (coordinates[:, :, None] - coordinates[:, None, :]).permute(1, 2, 0).contiguous()
    apart[:, :, 0] += side - 1
    apart[:, :, 1] += side - 1
    apart[:, :, 0] *= 2 * side - 1
    return apart.sum(-1)


def padded(states: Tensor, height: int, width: int, step: int) -> Any:
    """States [batch, height, width, channels] whose sides are multiples of `step`."""
    return F.pad(states, (0, 0, 0, -width % step, 0, -height % step))


class Swinv2SelfAttention(nn.Module):
    def __init__(
        self, config: PreTrainedConfig, size: int, heads: int, window: int, pretrained_window: int = 0
    ) -> None:
        super().__init__()
        self.num_attention_heads = heads
        self.attention_head_size = size // heads
        self.window = window
        self.logit_scale = nn.Parameter(torch.log(10 * torch.ones((heads, 1, 1))))
        self.continuous_position_bias_mlp = nn.Sequential(
            nn.Linear(2, 512), nn.ReLU(inplace=True), nn.Linear(512, heads, bias=False)
        )
        self.register_buffer("relative_coords_table", self.distances(pretrained_window), persistent=False)
        self.register_buffer("relative_position_index", offset_index(window), persistent=False)
        self.query = nn.Linear(size, size, bias=config.qkv_bias)
        self.key = nn.Linear(size, size, bias=False)
        self.value = nn.Linear(size, size, bias=config.qkv_bias)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)

    def distances(self, pretrained_window: Any) -> Any:
        """Offsets in both directions on a logarithmic scale [1, 2 * window - 1, 2 * window - 1, 2]."""
        steps = torch.arange(-(self.window - 1), self.window, dtype=torch.int64).float()
        table = torch.stack(torch.meshgrid([steps, steps], indexing="ij")).permute(1, 2, 0).contiguous().unsqueeze(0)
        table = table / max((pretrained_window or self.window) - 1, 1) * 8
        return torch.sign(table) * torch.log2(torch.abs(table) + 1.0) / math.log2(8)

    def heads(self, projected: Any, batch: int) -> Any:
        return projected.view(batch, -1, self.num_attention_heads, self.attention_head_size).transpose(1, 2)

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None) -> tuple[Tensor]:
        batch, length, _ = hidden_states.shape
        query = self.heads(self.query(hidden_states), batch)
        key = self.heads(self.key(hidden_states), batch)
        value = self.heads(self.value(hidden_states), batch)
        scores = F.normalize(query, dim=-1) @ F.normalize(key, dim=-1).transpose(-2, -1)
        scale = torch.clamp(self.logit_scale, max=math.log(1.0 / 0.01)).exp()
        scores = scores * scale
        table = self.continuous_position_bias_mlp(self.relative_coords_table).view(-1, self.num_attention_heads)
        area = self.window * self.window
        bias = table[self.relative_position_index.view(-1)].view(area, area, -1)
        bias = bias.permute(2, 0, 1).contiguous()
        bias = 16 * torch.sigmoid(bias)
        scores = scores + bias.unsqueeze(0)
        if attention_mask is not None:
            windows = attention_mask.shape[0]
            grouped = (batch // windows, windows, self.num_attention_heads, length, length)
            # the library adds the mask twice
            scores = scores.view(grouped) + attention_mask.unsqueeze(1).unsqueeze(0)
            scores = scores + attention_mask.unsqueeze(1).unsqueeze(0)
            scores = scores.view(-1, self.num_attention_heads, length, length)
        weights = F.softmax(scores, dim=-1)
        weights = self.dropout(weights)
        output = torch.matmul(weights, value)
        output = output.permute(0, 2, 1, 3).contiguous()
        output = output.view(output.size()[:-2] + (self.num_attention_heads * self.attention_head_size,))
        outputs = (output,)
        return outputs


class DenseDropout(nn.Module):
    def __init__(self, into: Any, out: Tensor, rate: float) -> None:
        super().__init__()
        self.dense = nn.Linear(into, out)
        self.dropout = nn.Dropout(rate)

    def forward(self, hidden_states: Tensor, before: Any = None) -> Any:
        hidden_states = self.dense(hidden_states)
        hidden_states = self.dropout(hidden_states)
        return hidden_states


class SwinAttention(nn.Module):
    attention_class = Swinv2SelfAttention

    def __init__(self, config: PreTrainedConfig, size: int, heads: int, window: int, **more: Any) -> None:
        super().__init__()
        self.self = self.attention_class(config, size, heads, window, **more)
        self.output = DenseDropout(size, size, config.attention_probs_dropout_prob)

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        attended = self.self(hidden_states, attention_mask)
        output = self.output(attended[0], hidden_states)
        outputs = (output,)
        return outputs
