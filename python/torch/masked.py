"""torch.masked: reductions over the places of a mask, written in operators as torch/masked/_ops.py writes them."""

import torch


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


def _full_mask(input, mask):
    return mask if mask.shape == input.shape else torch.broadcast_to(mask.clone(), input.shape).to(torch.bool)


def mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    dims = _dims(input, dim)
    if mask is None:
        count = sum(torch.ones(input.shape, dtype=torch.int64, device=input.device), dims, keepdim=keepdim)
        total = sum(input, dims, keepdim=keepdim, dtype=dtype)
        return total / count
    inmask = _full_mask(input, mask)
    count = inmask.sum(dims, bool(keepdim))
    total = sum(input, dims, keepdim=keepdim, dtype=dtype, mask=inmask)
    return total / count


def var(input, dim=None, unbiased=True, *, keepdim=False, dtype=None, mask=None):
    dims = _dims(input, dim)
    if mask is None:
        count = sum(torch.ones(input.shape, dtype=torch.int64, device=input.device), dims, keepdim=True)
        sample_total = sum(input, dims, keepdim=True, dtype=dtype)
    else:
        inmask = _full_mask(input, mask)
        count = inmask.sum(dims, True)
        sample_total = sum(input, dims, keepdim=True, dtype=dtype, mask=inmask)
    sample_mean = torch.divide(sample_total, count)
    x = torch.subtract(input, sample_mean)
    total = sum(x * x.conj(), dims, keepdim=keepdim, dtype=dtype, mask=None if mask is None else inmask)
    if not keepdim:
        count = count.reshape(total.shape)
    if unbiased:
        count = count.to(input.dtype)
        count = torch.subtract(count, 1.0)
        count = torch.maximum(count, count.new_zeros([]))
    return torch.divide(total, count).to(input.dtype)


def std(input, dim=None, unbiased=True, *, keepdim=False, dtype=None, mask=None):
    return var(input, dim, unbiased, keepdim=keepdim, dtype=dtype, mask=mask).sqrt()


def softmax(input, dim, *, dtype=None, mask=None):
    return torch.softmax(_combine(input, mask, float("-inf")), dim, dtype=dtype)


def log_softmax(input, dim, *, dtype=None, mask=None):
    return torch.log_softmax(_combine(input, mask, float("-inf")), dim, dtype=dtype)
