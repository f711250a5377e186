"""Activation functions and softmaxes."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import torch
from torch import _C

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def _one(name):
    """A function of a tensor that has an in-place twin."""

    def function(input, inplace=False):
        return getattr(_C.ops, name + "_")(input) if inplace else getattr(_C.ops, name)(input)

    function.__name__ = function.__qualname__ = name
    return function


relu, relu6, selu = _one("relu"), _one("relu6"), _one("selu")
hardsigmoid, hardswish, silu, mish = _one("hardsigmoid"), _one("hardswish"), _one("silu"), _one("mish")


def relu_(input: Tensor) -> Tensor:
    return _C.ops.relu_(input)


def selu_(input: Tensor) -> Tensor:
    return _C.ops.selu_(input)


def threshold(
    input: Tensor, threshold: int | float | complex, value: int | float | complex | bool, inplace: bool = False
) -> Tensor:
    return _C.ops.threshold_(input, threshold, value) if inplace else _C.ops.threshold(input, threshold, value)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return _C.ops.glu(input, dim)


def hardtanh(input: Tensor, min_val: float | int = -1.0, max_val: float | int = 1.0, inplace: bool = False) -> Tensor:
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _C.ops.hardtanh_(input, min_val, max_val) if inplace else _C.ops.hardtanh(input, min_val, max_val)


def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    return _C.ops.hardtanh_(input, min_val, max_val)


def elu(input: Tensor, alpha: float | int = 1.0, inplace: bool = False) -> Tensor:
    return _C.ops.elu_(input, alpha) if inplace else _C.ops.elu(input, alpha)


def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    return _C.ops.elu_(input, alpha)


def celu(input: Tensor, alpha: int | float | complex | None = 1.0, inplace: bool = False) -> Tensor:
    return _C.ops.celu_(input, alpha) if inplace else _C.ops.celu(input, alpha)


def celu_(input: Tensor, alpha: int | float | complex = 1.0) -> Tensor:
    return _C.ops.celu_(input, alpha)


def leaky_relu(input: Any, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    return _C.ops.leaky_relu_(input, negative_slope) if inplace else _C.ops.leaky_relu(input, negative_slope)


def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    return _C.ops.leaky_relu_(input, negative_slope)


def rrelu(
    input: Tensor,
    lower: int | float | complex = 1.0 / 8,
    upper: int | float | complex = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    return _C.ops.rrelu_(input, lower, upper, training) if inplace else _C.ops.rrelu(input, lower, upper, training)


def rrelu_(
    input: Tensor,
    lower: int | float | complex = 1.0 / 8,
    upper: int | float | complex = 1.0 / 3,
    training: bool = False,
) -> Tensor:
    return _C.ops.rrelu_(input, lower, upper, training)


def tanhshrink(input: Any) -> Tensor:
    return input - input.tanh()


def softsign(input: Any) -> Tensor:
    return input / (input.abs() + 1)


def tanh(input: Any) -> Tensor:
    return input.tanh()


def sigmoid(input: Tensor) -> Tensor:
    return input.sigmoid()


def _get_softmax_dim(name, ndim, stacklevel):
    warnings.warn(f"Implicit dimension choice for {name} has been deprecated: pass dim", stacklevel=stacklevel)
    return 0 if ndim in (0, 1, 3) else 1


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None) -> Tensor:
    if dim is None:
        dim = _get_softmax_dim("softmin", input.dim(), _stacklevel)
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None) -> Tensor:
    if dim is None:
        dim = _get_softmax_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None
) -> Tensor:
    if dim is None:
        dim = _get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    gumbels = -torch.empty_like(logits, memory_format=torch.legacy_contiguous_format).exponential_().log()
    gumbels = (logits + gumbels) / tau
    soft = gumbels.softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one_hot = torch.zeros_like(logits, memory_format=torch.legacy_contiguous_format).scatter_(dim, index, 1.0)
    return one_hot - soft.detach() + soft


__all__ = [name for name in dir() if not name.startswith("_") and name not in ("torch", "warnings")]
