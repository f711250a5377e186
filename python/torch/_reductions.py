"""Functions that reduce dims: sum, mean, var, max, norm and their like, each with the op that its form picks."""

from . import _C
from ._arguments import dims_of, out_form
from ._tensor import Tensor

ops = _C.ops


def sum(input, dim=None, keepdim=False, *, axis=None, keepdims=None, dtype=None, out=None):
    dim = axis if dim is None else dim
    if dim is None:
        return out_form(out, ops.sum, input, dtype)
    return out_form(out, ops.sum_dim_IntList, input, dims_of(dim), keepdims or keepdim, dtype)


def mean(input, dim=None, keepdim=False, *, axis=None, keepdims=None, dtype=None, out=None):
    dim = axis if dim is None else dim
    if not input.is_floating_point() and not input.is_complex() and dtype is None:
        raise RuntimeError(
            f"mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {_title(input.dtype)}"
        )
    if dim is None:
        return out_form(out, ops.mean, input, dtype)
    return out_form(out, ops.mean_dim, input, dims_of(dim), keepdims or keepdim, dtype)


def _title(dtype):
    return {"int64": "Long", "int32": "Int", "bool": "Bool", "uint8": "Byte", "int8": "Char", "int16": "Short"}.get(
        dtype.name, dtype.name
    )


def _moments(dim, unbiased, correction):
    """(dim, correction) from the old form (unbiased first or second) and the new one."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if correction is None:
        correction = 1 if unbiased is None or unbiased else 0
    return dims_of(dim), correction


def var(input, dim=None, unbiased=None, keepdim=False, *, axis=None, correction=None, out=None):
    dims, c = _moments(dim if dim is not None else axis, unbiased, correction)
    return out_form(out, ops.var, input, dims, c, keepdim)


def std(input, dim=None, unbiased=None, keepdim=False, *, axis=None, correction=None, out=None):
    dims, c = _moments(dim if dim is not None else axis, unbiased, correction)
    return out_form(out, ops.std, input, dims, c, keepdim)


def var_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    dims, c = _moments(dim, unbiased, correction)
    return ops.var_mean(input, dims, c, keepdim)


def std_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    return std(input, dim, unbiased, keepdim, correction=correction), mean(input, dim, keepdim)


def _extreme(name, pair):
    by_dim, over_all = getattr(ops, name + "_dim"), getattr(ops, name)

    def f(input, dim=None, keepdim=False, *, other=None, axis=None, out=None):
        dim = axis if dim is None else dim
        if other is not None or isinstance(dim, Tensor):
            return out_form(out, pair, input, other if other is not None else dim)
        if dim is None:
            return over_all(input)
        if out is not None:
            return _C.out_call(out, by_dim, input, dim, keepdim)
        return by_dim(input, dim, keepdim)

    f.__name__ = name
    return f


max = _extreme("max", ops.maximum)
min = _extreme("min", ops.minimum)


def aminmax(input, *, dim=None, keepdim=False):
    d = () if dim is None else (dim,)
    return ops.amin(input, d, keepdim), ops.amax(input, d, keepdim)


def logsumexp(input, dim, keepdim=False, *, out=None):
    return out_form(out, ops.logsumexp, input, dims_of(dim), keepdim)


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    if p == "fro" or p is None:
        p = 2
    if p == "nuc":
        return ops.linalg_svdvals(input).sum(-1)
    return out_form(out, ops.linalg_vector_norm, input, p, dims_of(dim), keepdim, dtype)


def all(input, dim=None, keepdim=False, *, out=None):
    return out_form(out, ops.all, input, dims_of(dim), keepdim)


def any(input, dim=None, keepdim=False, *, out=None):
    return out_form(out, ops.any, input, dims_of(dim), keepdim)


def amax(input, dim=(), keepdim=False, *, out=None):
    return out_form(out, ops.amax, input, dims_of(dim), keepdim)


def amin(input, dim=(), keepdim=False, *, out=None):
    return out_form(out, ops.amin, input, dims_of(dim), keepdim)


def count_nonzero(input, dim=None):
    return ops.count_nonzero(input, dims_of(dim))
