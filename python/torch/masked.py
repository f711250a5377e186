"""torch.masked: reductions over the places of a mask, written in operators as torch/masked/_ops.py writes them."""

import torch


def _mask(input, mask):
    return torch.ones_like(input, dtype=torch.bool) if mask is None else torch.broadcast_to(mask, input.shape)


def _dims(input, dim):
    if dim is None:
        return tuple(range(input.dim()))
    return (dim,) if isinstance(dim, int) else tuple(dim)


def _combine(input, mask, fill):
    return input if mask is None else torch.where(mask, input, input.new_full([], fill))


def sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    return torch.sum(_combine(input, mask, 0), _dims(input, dim), bool(keepdim), dtype=dtype)


def prod(input, dim, *, keepdim=False, dtype=None, mask=None):
    return torch.prod(_combine(input, mask, 1), dim, bool(keepdim), dtype=dtype)


def amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    return torch.amax(_combine(input, mask, float("-inf")), _dims(input, dim), bool(keepdim))


def amin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    return torch.amin(_combine(input, mask, float("inf")), _dims(input, dim), bool(keepdim))


def mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    dims = _dims(input, dim)
    if mask is None:
        return torch.mean(input, dims, bool(keepdim), dtype=dtype)
    count = sum(torch.ones_like(input, dtype=torch.int64), dims, keepdim=keepdim, mask=mask)
    total = sum(input, dims, keepdim=keepdim, dtype=dtype, mask=mask)
    return total / count


def var(input, dim=None, unbiased=False, *, keepdim=False, dtype=None, mask=None):
    dims = _dims(input, dim)
    if mask is None:
        return torch.var(input, dims, bool(unbiased), bool(keepdim))
    count = sum(torch.ones_like(input, dtype=torch.int64), dims, keepdim=True, mask=mask)
    center = sum(input, dims, keepdim=True, dtype=dtype, mask=mask) / count
    distance = torch.subtract(input, center)
    total = sum(distance * distance.conj(), dims, keepdim=keepdim, dtype=dtype, mask=mask)
    if not keepdim:
        count = count.reshape(total.shape)
    if unbiased:
        count = torch.maximum(torch.subtract(count, 1), count.new_zeros([]))
    return total / count


def std(input, dim=None, unbiased=False, *, keepdim=False, dtype=None, mask=None):
    return var(input, dim, unbiased, keepdim=keepdim, dtype=dtype, mask=mask).sqrt()


def softmax(input, dim, *, dtype=None, mask=None):
    return torch.softmax(_combine(input, mask, float("-inf")), dim, dtype=dtype)


def log_softmax(input, dim, *, dtype=None, mask=None):
    return torch.log_softmax(_combine(input, mask, float("-inf")), dim, dtype=dtype)
