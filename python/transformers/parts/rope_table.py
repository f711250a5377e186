"""Rotary positions from a table of sines that each layer owns; neighbours are turned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import Tensor


def sinusoids(count: int, size: int) -> Tensor:
    """Sines and cosines per position: [count, size]."""
    frequencies = 1.0 / (10000 ** (torch.arange(0, size, 2, dtype=torch.int64) / size))
    angles = torch.einsum("i , j -> i j", torch.arange(count, dtype=torch.int64).float(), frequencies).float()
    return torch.cat((torch.sin(angles), torch.cos(angles)), dim=1)


def _swap_pairs(x):
    even = x[:, :, :, ::2]
    odd = x[:, :, :, 1::2]
    x = torch.stack((-odd, even), dim=-1)
    return x.flatten(-2)


def turn(x: Tensor, sin: Tensor, cos: Tensor) -> Tensor:
    """Turns neighbours of [batch, length, heads, size] by [batch, length, size / 2]."""
    sin = torch.repeat_interleave(sin[:, :, None, :], 2, 3)
    cos = torch.repeat_interleave(cos[:, :, None, :], 2, 3)
    return (x * cos) + (_swap_pairs(x) * sin)
