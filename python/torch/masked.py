"""torch.masked: functions over the places of a mask, written in operators as torch/masked/_ops.py writes them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from torch import Tensor


def _dims(input, dim):
    if dim is None:
        return tuple(range(input.dim()))
    return (dim,) if isinstance(dim, int) else tuple(dim)


def _full_mask(input, mask):
    return mask if mask.shape == input.shape else torch.broadcast_to(mask.clone(), input.shape).to(torch.bool)


def _number(value, like):
    return torch.tensor(value, dtype=like.dtype, device=like.device)


def _combine(input, mask, fill):
    """What counts: elsewhere the value that changes nothing (_combine_input_and_mask)."""
    return input if mask is None else torch.where(_full_mask(input, mask), input, _number(fill, input))


def sum(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Any:
    return torch.sum(_combine(input, mask, 0), _dims(input, dim), bool(keepdim), dtype=dtype)


def prod(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor | int | float:
    result = _combine(input, mask, 1)
    result = result if dtype is None else result.to(dtype)
    for at in sorted((d % input.dim() for d in _dims(input, dim)), reverse=True):
        result = result.prod(at, bool(keepdim))
    return result


def amax(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    return torch.amax(_combine(input, mask, float("-inf")), _dims(input, dim), bool(keepdim))


def amin(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    return torch.amin(_combine(input, mask, float("inf")), _dims(input, dim), bool(keepdim))


def _of_whole(function, fill):
    """A function that is not a reduction to fewer places than PyTorch's own: argmax, cumsum, softmax."""

    def masked(input, dim=None, *, dtype=None, mask=None, **options):
        counted = _combine(input, mask, fill)  # the name holds it while the result is converted
        return function(counted, dim, **options).to(input.dtype if dtype is None else dtype)

    return masked


argmax = _of_whole(lambda t, dim, keepdim=False: torch.argmax(t, dim, bool(keepdim)), float("-inf"))
argmin = _of_whole(lambda t, dim, keepdim=False: torch.argmin(t, dim, bool(keepdim)), float("inf"))
cumsum = _of_whole(torch.cumsum, 0)
cumprod = _of_whole(torch.cumprod, 1)
logsumexp = _of_whole(lambda t, dim, keepdim=False: torch.logsumexp(t, dim, bool(keepdim)), float("-inf"))


def median(
    input: Tensor, dim: int = -1, *, keepdim: bool = False, dtype: torch.dtype | None = None, mask: Tensor | None = None
) -> Any:
    exact = input.is_floating_point()
    found = torch.nanmedian(_combine(input if exact else input.to(torch.float), mask, math.nan), dim, keepdim)
    if exact:
        return found.values
    if torch.isnan(found.values).any():
        raise ValueError("masked median expects no fully masked out rows if dtype is not floating point")
    return found.values.to(input.dtype if dtype is None else dtype)


def norm(
    input: Tensor,
    ord: int | float | str | None = 2.0,
    dim: int | Sequence[int] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    nothing = 0 if ord is None or ord >= 0 else float("inf")
    return torch.linalg.vector_norm(_combine(input, mask, nothing), ord, _dims(input, dim), bool(keepdim), dtype=dtype)


def normalize(
    input: Tensor,
    ord: float,
    dim: int,
    *,
    eps: float = 1e-12,
    dtype: torch.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    counted = _combine(input, mask, 0)
    length = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return torch.divide(counted, torch.maximum(length, length.new_full([], eps)))


def logaddexp(
    input: Tensor,
    other: Tensor,
    *,
    dtype: torch.dtype | None = None,
    input_mask: Tensor | None = None,
    other_mask: Tensor | None = None,
) -> Tensor:
    first = _combine(input, input_mask, float("-inf"))
    return torch.logaddexp(first, _combine(other, other_mask, float("-inf"))).to(dtype or input.dtype)


def mean(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    dims = _dims(input, dim)
    if mask is None:
        count = sum(torch.ones(input.shape, dtype=torch.int64, device=input.device), dims, keepdim=keepdim)
        total = sum(input, dims, keepdim=keepdim, dtype=dtype)
        return total / count
    inmask = _full_mask(input, mask)
    count = inmask.sum(dims, bool(keepdim))
    total = sum(input, dims, keepdim=keepdim, dtype=dtype, mask=inmask)
    return total / count


def _spread(input, dim, unbiased, correction, keepdim, dtype, mask, finish):
    if unbiased is not None and correction is not None:
        raise ValueError("Only one of unbiased and correction may be given")
    missing = correction if correction is not None else 1 if unbiased is None else int(unbiased)
    type = dtype or (input.dtype if input.is_floating_point() or input.is_complex() else torch.float32)
    dims = _dims(input, dim)
    if mask is None:
        inmask = None
        count = sum(torch.ones(input.shape, dtype=torch.int64, device=input.device), dims, keepdim=True)
        sample_total = sum(input, dims, keepdim=True, dtype=type)
    else:
        inmask = _full_mask(input, mask)
        count = inmask.sum(dims, True)
        sample_total = sum(input, dims, keepdim=True, dtype=type, mask=inmask)
    sample_mean = torch.divide(sample_total, count)
    x = torch.subtract(input, sample_mean)
    total = sum(x * x.conj(), dims, keepdim=keepdim, dtype=type, mask=inmask)
    if not keepdim:
        count = count.reshape(total.shape)
    if missing:
        count = count.to(type.to_real() if type.is_complex else type)
        count = torch.subtract(count, missing)
        count = torch.maximum(count, count.new_zeros([]))
    found = torch.divide(total, count).to(type)
    return finish(found)


def var(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    unbiased: bool | None = None,
    *,
    correction: int | float | complex | None = None,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor | Callable:
    return _spread(input, dim, unbiased, correction, keepdim, dtype, mask, lambda found: found)


def std(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    unbiased: bool | None = None,
    *,
    correction: int | float | complex | None = None,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    return _spread(input, dim, unbiased, correction, keepdim, dtype, mask, torch.sqrt)


def softmax(input: Tensor, dim: int | None, *, dtype: torch.dtype | None = None, mask: Tensor | None = None) -> Tensor:
    return torch.softmax(_combine(input, mask, float("-inf")), dim, dtype=dtype)


def log_softmax(
    input: Tensor, dim: int | None, *, dtype: torch.dtype | None = None, mask: Tensor | None = None
) -> Tensor:
    return torch.log_softmax(_combine(input, mask, float("-inf")), dim, dtype=dtype)


def softmin(input: Tensor, dim: int | None, *, dtype: torch.dtype | None = None, mask: Tensor | None = None) -> Tensor:
    return torch.nn.functional.softmin(_combine(input, mask, float("inf")), dim, dtype=dtype)
