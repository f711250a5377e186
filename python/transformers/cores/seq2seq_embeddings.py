"""Words and positions of encoder-decoders. Positions take states [batch, length, size], how many tokens came before, positions, and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

if TYPE_CHECKING:
    from torch import Tensor


class ScaledEmbedding(nn.Embedding):
    """A table of words that multiplies what it finds."""

    def __init__(self, count: int, size: int, padding_idx: int, scale: float = 1.0) -> None:
        super().__init__(count, size, padding_idx)
        self.embed_scale = scale

    def forward(self, input_ids: Tensor) -> Tensor:
        return super().forward(input_ids) * self.embed_scale


def _numbers(states, seen):
    return torch.arange(seen, seen + states.shape[1], dtype=torch.long, device=states.device)


class LearnedPositions(nn.Embedding):
    """The first two rows are used by nobody."""

    def __init__(self, count: int, size: int, padding_idx: int | None = None) -> None:
        super().__init__(count + 2, size)

    def forward(self, states: Tensor, seen: int, position_ids: Tensor | None, input_ids: Tensor) -> Tensor:
        if position_ids is None:
            position_ids = _numbers(states, seen).expand(states.shape[0], -1)
        else:
            position_ids = position_ids.unsqueeze(0)
        return super().forward(position_ids + 2)


class FixedPositions(nn.Embedding):
    """Sines and cosines in a table that is not trained."""

    def __init__(self, count: int, size: int, padding_idx: int | None = None) -> None:
        super().__init__(count, size, _freeze=True)

    @torch.no_grad()
    def forward(self, states: Tensor, seen: int, position_ids: Tensor | None, input_ids: Tensor) -> Tensor:
        if position_ids is None:
            position_ids = _numbers(states, seen)
        return super().forward(position_ids)


class PaddedPositions(nn.Module):
    """Sines and cosines in a buffer; padding has a position of its own, so positions are counted over the tokens."""

    def __init__(self, count: int, size: int, padding_idx: int) -> None:
        super().__init__()
        self.padding_idx = padding_idx
        self.make(count + 2, size)

    def make(self, count: int, size: int) -> None:
        table = torch.zeros(count, size, dtype=torch.get_default_dtype())
        if hasattr(self, "weights"):
            table = table.to(dtype=self.weights.dtype, device=self.weights.device)
        self.register_buffer("weights", table, persistent=False)

    def create_position_ids(self, states: Tensor, seen: int, input_ids: Tensor) -> Tensor:
        if input_ids is None:
            first = self.padding_idx + 1
            position_ids = torch.arange(first, first + states.shape[1], dtype=torch.long, device=states.device)
            return position_ids.unsqueeze(0).expand(states.shape[:2]).contiguous() + seen
        mask = input_ids.ne(self.padding_idx).int()
        counted = (torch.cumsum(mask, dim=1).type_as(mask) + seen) * mask
        return counted.long() + self.padding_idx

    @torch.no_grad()
    def forward(self, states: Tensor, seen: int, position_ids: Tensor | None, input_ids: Tensor) -> Tensor:
        batch, length = states.shape[:2]
        position_ids = self.create_position_ids(states, seen, input_ids)
        highest = self.padding_idx + 1 + length + seen
        if highest > self.weights.size(0):
            self.make(highest + 2, self.weights.size(1))
        return self.weights.index_select(0, position_ids.view(-1)).view(batch, length, self.weights.shape[-1]).detach()
