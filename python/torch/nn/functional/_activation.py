"""Activation functions and softmaxes."""

import warnings

import torch
from torch import _C


def _one(name):
    """A function of a tensor that has an in-place twin."""

    def function(input, inplace=False):
        return getattr(_C.ops, name + "_")(input) if inplace else getattr(_C.ops, name)(input)

    function.__name__ = function.__qualname__ = name
    return function


relu, relu6, selu = _one("relu"), _one("relu6"), _one("selu")
hardsigmoid, hardswish, silu, mish = _one("hardsigmoid"), _one("hardswish"), _one("silu"), _one("mish")


def relu_(input):
    return _C.ops.relu_(input)


def selu_(input):
    return _C.ops.selu_(input)


def threshold(input, threshold, value, inplace=False):
    return _C.ops.threshold_(input, threshold, value) if inplace else _C.ops.threshold(input, threshold, value)


def threshold_(input, threshold, value):
    return _C.ops.threshold_(input, threshold, value)


def glu(input, dim=-1):
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return _C.ops.glu(input, dim)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _C.ops.hardtanh_(input, min_val, max_val) if inplace else _C.ops.hardtanh(input, min_val, max_val)


def hardtanh_(input, min_val=-1.0, max_val=1.0):
    return _C.ops.hardtanh_(input, min_val, max_val)


def elu(input, alpha=1.0, inplace=False):
    return _C.ops.elu_(input, alpha) if inplace else _C.ops.elu(input, alpha)


def elu_(input, alpha=1.0):
    return _C.ops.elu_(input, alpha)


def celu(input, alpha=1.0, inplace=False):
    return _C.ops.celu_(input, alpha) if inplace else _C.ops.celu(input, alpha)


def celu_(input, alpha=1.0):
    return _C.ops.celu_(input, alpha)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    return _C.ops.leaky_relu_(input, negative_slope) if inplace else _C.ops.leaky_relu(input, negative_slope)


def leaky_relu_(input, negative_slope=0.01):
    return _C.ops.leaky_relu_(input, negative_slope)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    return _C.ops.rrelu_(input, lower, upper, training) if inplace else _C.ops.rrelu(input, lower, upper, training)


def rrelu_(input, lower=1.0 / 8, upper=1.0 / 3, training=False):
    return _C.ops.rrelu_(input, lower, upper, training)


def tanhshrink(input):
    return input - input.tanh()


def softsign(input):
    return input / (input.abs() + 1)


def tanh(input):
    return input.tanh()


def sigmoid(input):
    return input.sigmoid()


def _get_softmax_dim(name, ndim, stacklevel):
    warnings.warn(f"Implicit dimension choice for {name} has been deprecated: pass dim", stacklevel=stacklevel)
    return 0 if ndim in (0, 1, 3) else 1


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = _get_softmax_dim("softmin", input.dim(), _stacklevel)
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = _get_softmax_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = _get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    gumbels = -torch.empty_like(logits, memory_format=torch.legacy_contiguous_format).exponential_().log()
    gumbels = (logits + gumbels) / tau
    soft = gumbels.softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one_hot = torch.zeros_like(logits, memory_format=torch.legacy_contiguous_format).scatter_(dim, index, 1.0)
    return one_hot - soft.detach() + soft


__all__ = [name for name in dir() if not name.startswith("_") and name not in ("torch", "warnings")]
