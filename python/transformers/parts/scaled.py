"""Embeddings that are multiplied by a number when they are looked up."""

import torch
from torch import nn


class ScaledEmbedding(nn.Embedding):
    """The factor is a buffer in float32, cast to the weight's dtype each time."""

    def __init__(self, count, size, padding_idx=None, embed_scale=1.0):
        super().__init__(count, size, padding_idx)
        self.register_buffer("embed_scale", torch.tensor(embed_scale), persistent=False)

    def forward(self, input_ids):
        return super().forward(input_ids) * self.embed_scale.to(self.weight.dtype)
