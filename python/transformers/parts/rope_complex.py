"""Rotary positions as complex numbers of length one: a turn is one product."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .rope import RotaryEmbedding

if TYPE_CHECKING:
    from torch import Tensor


class ComplexRotaryEmbedding(RotaryEmbedding):
    """One complex tensor [batch, length, half of the turning size]."""

    @torch.no_grad()
    def forward(self, x: Tensor, position_ids: Tensor) -> Tensor:
        self._follow_length(position_ids, x.device)
        frequencies = self.inv_freq[None, :, None].float().expand(position_ids.shape[0], -1, 1)
        positions = position_ids[:, None, :].float()
        with torch.autocast(device_type=x.device.type, enabled=False):
            angles = (frequencies.to(x.device) @ positions).transpose(1, 2)
            turns = torch.polar(torch.ones_like(angles), angles)
            turns = turns * self.attention_scaling
        return turns


def as_complex(states: Tensor) -> Tensor:
    """Neighbours become one complex number."""
    return torch.view_as_complex(states.float().reshape(*states.shape[:-1], -1, 2))
