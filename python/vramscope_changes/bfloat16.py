"""Weights, and whatever else has no dtype of its own, are made in bfloat16."""

import torch


def apply():
    torch.set_default_dtype(torch.bfloat16)
