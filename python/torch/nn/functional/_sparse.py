"""Embeddings and one-hot codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._release import rules
from torch import _C

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


_MODES = {"sum": 0, "mean": 1, "max": 2}


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    if tensor.dtype is not torch.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    return _C.ops.one_hot(tensor, num_classes)


def _renorm(weight, input, max_norm, norm_type):
    with torch.no_grad():
        _C.ops.embedding_renorm_(weight.detach(), input, max_norm, norm_type)


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Any:
    if padding_idx is None:
        padding_idx = -1
    elif not -weight.size(0) <= padding_idx < weight.size(0):
        raise AssertionError("Padding_idx must be within num_embeddings")
    elif padding_idx < 0:
        padding_idx = weight.size(0) + padding_idx
    if max_norm is not None:
        input = input.contiguous()
        _renorm(weight, input, max_norm, norm_type)
    return _C.ops.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: int | str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor | tuple:
    if weight.dtype == torch.long and input.is_floating_point():
        input, weight = weight, input  # the order of arguments before 0.4, which still is taken
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(f"per_sample_weights ({per_sample_weights.shape}) must have the input's shape ({input.shape})")
    if weight.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}")
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None")
        offsets = torch.arange(0, input.numel(), input.size(1), dtype=input.dtype, device=input.device)
        if rules.embedding_bag_own_offsets_end_early:
            include_last_offset = False
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    elif input.dim() != 1:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    elif offsets is None or offsets.dim() != 1:
        raise ValueError(
            f"offsets has to be a 1D Tensor but got {'None' if offsets is None else f'Tensor of dimension {offsets.dim()}'}"
        )
    if mode not in _MODES:
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and (scale_grad_by_freq or sparse):
        raise ValueError("max mode supports neither scale_grad_by_freq nor sparse")
    if max_norm is not None:
        _renorm(weight, input, max_norm, norm_type)
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(f"per_sample_weights is only supported for mode='sum' (got mode='{mode}')")
    result, _, _, _ = _C.ops.embedding_bag(
        weight,
        input,
        offsets,
        scale_grad_by_freq,
        _MODES[mode],
        sparse,
        per_sample_weights,
        include_last_offset,
        padding_idx,
    )
    return result


__all__ = ["embedding", "embedding_bag", "one_hot"]
