"""Losses that want scores or distances apart by a margin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import _C

from ._loss import _number, _reduced, _word
from ._rows import logsigmoid, pairwise_distance

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor


def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: int | str = "mean",
) -> Tensor:
    return _C.ops.margin_ranking_loss(input1, input2, target, margin, _number(size_average, reduce, reduction))


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: int | str = "mean",
) -> Tensor:
    return _C.ops.hinge_embedding_loss(input, target, margin, _number(size_average, reduce, reduction))


def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Tensor:
    return _C.ops.multilabel_margin_loss(input, target, _number(size_average, reduce, reduction))


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str | int = "mean",
) -> Tensor:
    return _C.ops.soft_margin_loss(input, target, _number(size_average, reduce, reduction))


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    reduction = _word(size_average, reduce, reduction)
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    last = input.dim() - 1
    loss = loss.sum(dim=last) / input.size(last)
    return _reduced(loss, reduction)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: int | str = "mean",
) -> Tensor:
    return _C.ops.cosine_embedding_loss(input1, input2, target, margin, _number(size_average, reduce, reduction))


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int | float = 1,
    margin: float | int = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str | int = "mean",
) -> Tensor:
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    return _C.ops.multi_margin_loss(input, target, p, margin, weight, _number(size_average, reduce, reduction))


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: int | str = "mean",
) -> Tensor:
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    number = _number(size_average, reduce, reduction)
    return _C.ops.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if distance_function is None:
        distance_function = pairwise_distance
    to_positive = distance_function(anchor, positive)
    to_negative = distance_function(anchor, negative)
    if swap:
        swapped = distance_function(positive, negative)
        to_negative = torch.minimum(to_negative, swapped)
    loss = torch.clamp_min(margin + to_positive - to_negative, 0)
    return _reduced(loss, reduction)


__all__ = [name for name in dir() if name.endswith(("_loss", "cross_entropy", "_logits")) or name == "kl_div"]
