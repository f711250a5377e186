"""Losses."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

import torch
from torch import _C

from .. import _reduction

from ._rows import linear

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from torch import Tensor


def _number(size_average, reduce, reduction):
    if size_average is not None or reduce is not None:
        return _reduction.legacy_get_enum(size_average, reduce)
    return _reduction.get_enum(reduction)


def _word(size_average, reduce, reduction):
    if size_average is not None or reduce is not None:
        return _reduction.legacy_get_string(size_average, reduce)
    return reduction


def _reduced(loss, reduction):
    if reduction == "none":
        return loss
    if reduction == "mean":
        return loss.mean()
    if reduction == "sum":
        return loss.sum()
    raise ValueError(f"{reduction} is not valid")


def _warn_sizes(input, target):
    if target.size() != input.size():
        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}): they broadcast",
            stacklevel=3,
        )


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    number = _number(size_average, reduce, reduction)
    return _C.ops.cross_entropy_loss(input, target, weight, number, ignore_index, label_smoothing)


def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: Any = None,
) -> Tensor:
    """The plain form: logits are made in full. The chunked form that `options` asks for is not modelled."""
    if options is not None:
        raise NotImplementedError("linear_cross_entropy with options (the chunked form) is not modelled")
    classes, *extra = linear_weight.shape[:-1]
    shape = (*input.shape[:-1], classes, *extra)
    if extra:
        linear_weight = linear_weight.reshape((math.prod(extra, start=classes), input.shape[-1]))
        if linear_bias is not None:
            linear_bias = linear_bias.reshape(math.prod(extra, start=classes))
    logits = linear(input, linear_weight, linear_bias)
    logits = logits.reshape(shape)
    return cross_entropy(
        logits,
        target,
        weight=weight,
        reduction=reduction,
        ignore_index=-100 if ignore_index is None else ignore_index,
        label_smoothing=label_smoothing,
    )


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    return _C.ops.nll_loss_nd(input, target, weight, _number(size_average, reduce, reduction), ignore_index)


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Sequence[int] | Tensor,
    target_lengths: Sequence[int] | Tensor,
    blank: int = 0,
    reduction: int | str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    number = _reduction.get_enum(reduction)
    return torch.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, number, zero_infinity)


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: int | str = "mean",
    log_target: bool = False,
) -> Tensor:
    number = _number(size_average, reduce, "sum" if reduction == "batchmean" else reduction)
    reduced = _C.ops.kl_div(input, target, number, log_target=log_target)
    if reduction == "batchmean" and input.dim() != 0:
        reduced = reduced / input.size()[0]
    return reduced


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: int | str = "mean",
) -> Tensor:
    return _C.ops.poisson_nll_loss(input, target, log_input, full, eps, _number(size_average, reduce, reduction))


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool | None = False,
    eps: float | None = 1e-6,
    reduction: str | None = "mean",
) -> Tensor:
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * torch.ones_like(input)
    else:
        # PyTorch looks for a negative entry here; values are not known, the tensors of the test are.
        torch.any(var < 0)
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = torch.unsqueeze(var, -1)
        elif input.ndim != var.ndim:
            raise ValueError("var is of incorrect size")
    var = var.clone()
    with torch.no_grad():
        var.clamp_(min=eps)
    loss = 0.5 * (torch.log(var) + (input - target) ** 2 / var)
    if full:
        loss += 0.5 * math.log(2 * math.pi)
    return _reduced(loss, reduction)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str | int = "mean",
) -> Tensor:
    number = _number(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated. Please ensure they have the same size."
        )
    if weight is not None:
        weight = weight.expand(torch.broadcast_shapes(target.size(), weight.size()))
    return _C.ops.binary_cross_entropy(input, target, weight, number)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: int | str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    number = _number(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    return _C.ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


def _check_weight(weight, input):
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")


def _weighted(errors, weight, reduction):
    weighted = errors * weight
    if reduction == "none":
        return weighted
    if reduction == "sum":
        return torch.sum(weighted)
    if reduction == "mean":
        return torch.sum(weighted) / torch.sum(weight)
    raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str | int = "mean",
    beta: float = 1.0,
) -> Tensor:
    _warn_sizes(input, target)
    number = _number(size_average, reduce, reduction)
    wide_input, wide_target = torch.broadcast_tensors(input, target)
    if beta == 0.0:
        return _C.ops.l1_loss(wide_input, wide_target, number)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    return _C.ops.smooth_l1_loss(wide_input, wide_target, number, beta)


def huber_loss(
    input: Tensor, target: Tensor, reduction: str | int = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Tensor:
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    _warn_sizes(input, target)
    wide_input, wide_target = torch.broadcast_tensors(input, target)
    if weight is None:
        return _C.ops.huber_loss(wide_input, wide_target, _reduction.get_enum(reduction), delta)
    _check_weight(weight, input)
    unweighted = _C.ops.huber_loss(wide_input, wide_target, 0, delta)
    weighted = unweighted * weight
    return _reduced(weighted, reduction)


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    _warn_sizes(input, target)
    reduction = _word(size_average, reduce, reduction)
    wide_input, wide_target = torch.broadcast_tensors(input, target)
    if weight is None:
        return _C.ops.l1_loss(wide_input, wide_target, _reduction.get_enum(reduction))
    _check_weight(weight, input)
    errors = torch.abs(wide_input - wide_target)
    return _weighted(errors, weight, reduction)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str | int = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    _warn_sizes(input, target)
    reduction = _word(size_average, reduce, reduction)
    wide_input, wide_target = torch.broadcast_tensors(input, target)
    if weight is None:
        return _C.ops.mse_loss(wide_input, wide_target, _reduction.get_enum(reduction))
    _check_weight(weight, input)
    errors = torch.pow(wide_input - wide_target, 2)
    return _weighted(errors, weight, reduction)
