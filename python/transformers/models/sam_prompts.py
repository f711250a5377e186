"""sam's encoder of prompts: points, boxes and masks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
import torch
from torch import nn

from ..activations import ACT2FN
from ..configuration_utils import PreTrainedConfig
from .sam_vision import ChannelNorm

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor
    from transformers.models.sam import SamConfig


class SamPromptEncoderConfig(PreTrainedConfig):
    hidden_size = 256
    image_size = 1024
    patch_size = 16
    mask_input_channels = 16
    num_point_embeddings = 4
    hidden_act = "gelu"
    layer_norm_eps = 1e-6

    def complete(self) -> None:
        self.image_embedding_size = self.image_size // self.patch_size


class SamPositions(nn.Module):
    """Places as sines and cosines of random directions."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.positional_embedding = nn.Parameter(config.scale * torch.randn((2, config.num_pos_feats)))

    def forward(self, points: Any, shape: Sequence[int] | None = None) -> Any:
        coordinates = points.clone()
        if shape is not None:
            coordinates[:, :, :, 0] = coordinates[:, :, :, 0] / shape[1]
            coordinates[:, :, :, 1] = coordinates[:, :, :, 1] / shape[0]
        coordinates = 2 * coordinates - 1
        coordinates = coordinates.to(self.positional_embedding.dtype)
        coordinates = coordinates @ self.positional_embedding
        coordinates = 2 * math.pi * coordinates
        return torch.cat([torch.sin(coordinates), torch.cos(coordinates)], dim=-1)


class SamMaskEmbedding(nn.Module):
    def __init__(self, config: SamPromptEncoderConfig) -> None:
        super().__init__()
        wide = config.mask_input_channels
        narrow = wide // 4
        self.activation = ACT2FN[config.hidden_act]
        self.conv1 = nn.Conv2d(1, narrow, kernel_size=2, stride=2)
        self.conv2 = nn.Conv2d(narrow, wide, kernel_size=2, stride=2)
        self.conv3 = nn.Conv2d(wide, config.hidden_size, kernel_size=1)
        self.layer_norm1 = ChannelNorm(narrow, eps=config.layer_norm_eps)
        self.layer_norm2 = ChannelNorm(narrow * 4, eps=config.layer_norm_eps)

    def forward(self, masks: Any) -> Any:
        hidden_states = self.conv1(masks)
        hidden_states = self.layer_norm1(hidden_states)
        hidden_states = self.activation(hidden_states)
        hidden_states = self.conv2(hidden_states)
        hidden_states = self.layer_norm2(hidden_states)
        hidden_states = self.activation(hidden_states)
        dense = self.conv3(hidden_states)
        return dense


class SamPromptEncoder(nn.Module):
    def __init__(self, config: SamConfig) -> None:
        super().__init__()
        self.shared_embedding = SamPositions(config.vision_config)
        config = config.prompt_encoder_config
        self.mask_embed = SamMaskEmbedding(config)
        self.no_mask_embed = nn.Embedding(1, config.hidden_size)
        self.side = config.image_embedding_size
        self.shape = (config.image_size, config.image_size)
        self.point_embed = nn.ModuleList(
            nn.Embedding(1, config.hidden_size) for _ in range(config.num_point_embeddings)
        )
        self.not_a_point_embed = nn.Embedding(1, config.hidden_size)

    def points(self, points: Any, labels: Tensor, pad: Any) -> Any:
        points = points + 0.5
        if pad:
            no_point = torch.zeros((*points.shape[:2], 1, points.shape[-1]), device=points.device)
            no_label = -torch.ones((*points.shape[:2], 1), device=labels.device)
            points = torch.cat([points, no_point], dim=2)
            labels = torch.cat([labels, no_label], dim=2)
        found = self.shared_embedding(points, self.shape)
        found = torch.where(labels[..., None] == -1, self.not_a_point_embed.weight, found)
        found = torch.where(labels[..., None] != -10, found, torch.zeros_like(found))
        for kind in (0, 1):
            more = self.point_embed[kind].weight[None, None, :, :]
            found = torch.where((labels == kind)[:, :, :, None], found + more, found)
        return found

    def boxes(self, boxes: Any) -> Any:
        boxes = boxes + 0.5
        corners = boxes.reshape(*boxes.shape[:2], 2, 2)
        found = self.shared_embedding(corners, self.shape)
        found[:, :, 0, :] += self.point_embed[2].weight
        found[:, :, 1, :] += self.point_embed[3].weight
        return found

    def forward(
        self,
        input_points: tuple[Tensor, Tensor] | None,
        input_labels: Tensor | None,
        input_boxes: Tensor | None,
        input_masks: Tensor | None,
    ) -> tuple[Tensor, Tensor]:
        sparse, batch = None, 1
        if input_points is not None:
            batch = input_points.shape[0]
            if input_labels is None:
                raise ValueError("If points are provided, labels must also be provided.")
            sparse = self.points(input_points, input_labels, pad=input_boxes is None)
        if input_boxes is not None:
            batch = input_boxes.shape[0]
            boxes = self.boxes(input_boxes)
            sparse = boxes if sparse is None else torch.cat([sparse, boxes], dim=2)
        if input_masks is not None:
            dense = self.mask_embed(input_masks)
        else:
            dense = self.no_mask_embed.weight.reshape(1, -1, 1, 1).expand(batch, -1, self.side, self.side)
        return sparse, dense
