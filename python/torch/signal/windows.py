"""Windows of a length, by the operators that make them in torch/signal/windows/windows.py."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from torch import Tensor


__all__ = [
    "bartlett",
    "blackman",
    "cosine",
    "exponential",
    "gaussian",
    "general_cosine",
    "general_hamming",
    "hamming",
    "hann",
    "kaiser",
    "nuttall",
]


def _window(function):
    """What all windows check first; `function(M, sym, made, ...)` makes those of more than no points."""

    @functools.wraps(function)
    def window(M, *args, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False, **options):
        name = function.__name__
        dtype = torch.get_default_dtype() if dtype is None else dtype
        if M < 0:
            raise ValueError(f"{name} requires non-negative window length, got M={M}")
        if layout is not torch.strided:
            raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
        if dtype not in (torch.float32, torch.float64):
            raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
        made = {"dtype": dtype, "device": device}
        if M == 0:
            result = torch.empty((0,), **made)
        else:
            result = function(M, bool(sym), made, *args, **options)
        return result.requires_grad_() if requires_grad else result

    return window


def _places(start, constant, M, made):
    return torch.linspace(start * constant, (start + (M - 1)) * constant, M, **made)


@_window
def exponential(M: int, sym: bool, made: Any, *, center: float | None = None, tau: float = 1.0) -> Tensor:
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    middle = (M if not sym and M > 1 else M - 1) / 2.0 if center is None else center
    k = _places(-middle, 1 / tau, M, made)
    return torch.exp(-torch.abs(k))


@_window
def cosine(M: int, sym: bool, made: Any) -> Tensor:
    k = _places(0.5, math.pi / (M + 1 if not sym and M > 1 else M), M, made)
    return torch.sin(k)


@_window
def gaussian(M: int, sym: bool, made: Any, *, std: float = 1.0) -> Tensor:
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    k = _places(-(M if not sym and M > 1 else M - 1) / 2.0, 1 / (std * math.sqrt(2)), M, made)
    return torch.exp(-(k**2))


@_window
def kaiser(M: int, sym: bool, made: Any, *, beta: float = 12.0) -> Tensor:
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    if M == 1:
        return torch.ones((1,), **made)
    steepness = torch.tensor(beta, **made)
    start = -steepness
    constant = 2.0 * steepness / (M if not sym else M - 1)
    end = torch.minimum(steepness, start + (M - 1) * constant)
    k = torch.linspace(start, end, M, **made)
    return torch.i0(torch.sqrt(steepness * steepness - torch.pow(k, 2))) / torch.i0(steepness)


def _waves(M, sym, made, weights):
    if M == 1:
        return torch.ones((1,), **made)
    k = _places(0, 2 * math.pi / (M if not sym else M - 1), M, made)
    signed = torch.tensor([(-1) ** i * weight for i, weight in enumerate(weights)], **made)
    i = torch.arange(signed.shape[0], **made)
    return (signed.unsqueeze(-1) * torch.cos(i.unsqueeze(-1) * k)).sum(0)


@_window
def general_cosine(M: Any, sym: bool, made: Any, *, a: Iterable) -> Tensor:
    if not hasattr(a, "__iter__"):
        raise TypeError("Coefficients must be a list/tuple")
    if not a:
        raise ValueError("Coefficients cannot be empty")
    return _waves(M, sym, made, a)


@_window
def general_hamming(M: Any, sym: bool, made: Any, *, alpha: float = 0.54) -> Tensor:
    return _waves(M, sym, made, [alpha, 1.0 - alpha])


@_window
def hamming(M: int, sym: bool, made: Any) -> Tensor:
    return _waves(M, sym, made, [0.54, 1.0 - 0.54])


@_window
def hann(M: int, sym: bool, made: Any) -> Tensor:
    return _waves(M, sym, made, [0.5, 0.5])


@_window
def blackman(M: int, sym: bool, made: Any) -> Tensor:
    return _waves(M, sym, made, [0.42, 0.5, 0.08])


@_window
def nuttall(M: int, sym: bool, made: Any) -> Tensor:
    return _waves(M, sym, made, [0.3635819, 0.4891775, 0.1365995, 0.0106411])


@_window
def bartlett(M: int, sym: bool, made: Any) -> Tensor:
    if M == 1:
        return torch.ones((1,), **made)
    k = _places(-1, 2 / (M if not sym else M - 1), M, made)
    return 1 - torch.abs(k)
