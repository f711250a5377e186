"""Embeddings that are multiplied by a number when they are looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

if TYPE_CHECKING:
    from torch import Tensor


class ScaledEmbedding(nn.Embedding):
    """The factor is a buffer in float32, cast to the weight's dtype each time."""

    def __init__(self, count: int, size: int, padding_idx: int | None = None, embed_scale: float = 1.0) -> None:
        super().__init__(count, size, padding_idx)
        self.register_buffer("embed_scale", torch.tensor(embed_scale), persistent=False)

    def forward(self, input_ids: Tensor) -> Tensor:
        return super().forward(input_ids) * self.embed_scale.to(self.weight.dtype)
