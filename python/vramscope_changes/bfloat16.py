"""Weights, and whatever else has no dtype of its own, are made in bfloat16."""

from __future__ import annotations

import torch


def apply() -> None:
    torch.set_default_dtype(torch.bfloat16)
