"""Metrics of one batch."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


__getattr__ = lacks("torchmetrics.functional")


def _agreement(preds, target, threshold=0.5):
    """Where predictions are right; scores are turned to classes first."""
    if preds.ndim == target.ndim + 1:
        preds = preds.argmax(dim=1)
    elif preds.is_floating_point():
        preds = preds > threshold
    return preds == target


def accuracy(
    preds: Tensor, target: Any, task: Any = None, threshold: float = 0.5, num_classes: int | None = None, **_: Any
) -> Any:
    return _agreement(preds, target, threshold).float().mean()


f1_score = precision = recall = auroc = jaccard_index = accuracy


def mean_squared_error(preds: Tensor, target: Any, squared: bool = True, **_: Any) -> Any:
    difference = (preds - target).square().mean()
    return difference if squared else difference.sqrt()


def mean_absolute_error(preds: Tensor, target: Any, **_: Any) -> Any:
    return (preds - target).abs().mean()


def confusion_matrix(preds: Tensor, target: Any, task: Any = None, num_classes: int = 2, **_: Any) -> Any:
    return (
        torch.zeros(num_classes, num_classes, dtype=torch.long, device=preds.device) + _agreement(preds, target).sum()
    )


sys.modules[f"{__name__}.classification"] = sys.modules[__name__]
