"""BERT (core/models/bert): two kinds of segments, attention in both directions, a head with a layer of its own, and a pooler."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .linear import Column, Norm
from .loss import loss_of
from .model import Chunk

if TYPE_CHECKING:
    from typing import Any

    from vramscope_ranks.job import Job
    from torch import Tensor


class Bert(Chunk):
    def __init__(self, job: Job, layers: Any, first: Any, last: Any, frozen: bool = False) -> None:
        super().__init__(job, layers, first, last, frozen)
        new, wide = self.parameters.new, job.hidden
        self.segments = new(2, wide, outer=True) if first else None
        if last:
            self.dense, self.dense_bias = new(wide, wide), new(wide)
            self.dense_norm, self.dense_norm_bias = new(wide), new(wide)
            self.head_bias = new(job.local_vocab)
            self.binary, self.binary_bias = new(2, wide), new(2)
            self.pooler, self.pooler_bias = new(wide, wide), new(wide)

    def batch(self) -> dict:
        """Six rows of int64 come as one tensor (core/tensor_parallel/data.py, broadcast_data)."""
        job = self.job
        all_rows = torch.empty(6, job.batch, job.local_seq, dtype=torch.int64, device="cuda")
        tokens, types, labels, random, mask, padding = all_rows
        attention = (
            padding.unsqueeze(1).unsqueeze(1) if job.te else (padding.unsqueeze(1) * padding.unsqueeze(2)).unsqueeze(1)
        )
        positions = torch.arange(job.local_seq, device="cuda").unsqueeze(0).expand_as(tokens)
        self.types = types
        return {
            "tokens": tokens, "labels": labels, "mask": mask.float(), "attention": attention < 0.5, "positions": positions,
        }  # fmt: skip

    def words(self, tokens: Any, positions: Tensor) -> Any:
        x = super().words(tokens, positions)
        return x + torch.nn.functional.embedding(self.types, self.segments).permute(1, 0, 2)

    def loss(self, x: Tensor, labels: Tensor) -> Any:
        job, linear = self.job, torch.nn.functional.linear
        order = linear(torch.tanh(linear(x[0], self.pooler, self.pooler_bias)), self.binary, self.binary_bias)
        hidden = torch.nn.functional.gelu(linear(x, self.dense, self.dense_bias))
        hidden = Norm.apply(hidden, self.dense_norm, self.dense_norm_bias)
        logits = Column.apply(hidden, self.head, None, job, False, job.sequence_parallel) + self.head_bias
        del hidden
        loss = loss_of(job, logits, labels.transpose(0, 1).contiguous())
        return loss.transpose(0, 1).contiguous() + order.float().mean()
