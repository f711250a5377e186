"""Where answers begin and end, as xlnet finds them."""

from __future__ import annotations

import torch
from torch import nn


class XLNetStarts(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.dense = nn.Linear(size, 1)


class XLNetEnds(nn.Module):
    def __init__(self, size: int, eps: float) -> None:
        super().__init__()
        self.dense_0 = nn.Linear(2 * size, size)
        self.LayerNorm = nn.LayerNorm(size, eps=eps)
        self.dense_1 = nn.Linear(size, 1)


class XLNetAnswers(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.dense_0 = nn.Linear(2 * size, size)
        self.dense_1 = nn.Linear(size, 1, bias=False)
