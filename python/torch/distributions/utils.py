"""torch.distributions.utils: what distributions are written with (torch/distributions/utils.py)."""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING

import torch

from .. import _C
from .._joining import broadcast_tensors

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor

euler_constant = 0.57721566490153286060


class lazy_property:
    """Made once, with its history, and kept as an attribute."""

    def __init__(self, wrapped: Callable) -> None:
        self.wrapped, self.__doc__ = wrapped, wrapped.__doc__

    def __get__(self, instance: object, obj_type: type | None = None) -> Any:
        if instance is None:
            return _OfClass(self.wrapped)
        with torch.enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


class _OfClass(lazy_property, property):
    """What a class has for it: a property, too, for those who look for properties."""

    def __init__(self, wrapped: Callable) -> None:
        property.__init__(self, wrapped)


def broadcast_all(*values: Tensor | float) -> tuple[Tensor, ...]:
    """Numbers become tensors beside the first tensor."""
    if not all(isinstance(value, (Number, torch.Tensor)) or hasattr(value, "__torch_function__") for value in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__."
        )
    first = next((value for value in values if isinstance(value, torch.Tensor)), None)
    like = {"dtype": torch.get_default_dtype()} if first is None else {"dtype": first.dtype, "device": first.device}
    return broadcast_tensors(*(torch.tensor(value, **like) if isinstance(value, Number) else value for value in values))


def _known(value: Tensor) -> float | None:
    """The number of a tensor of one element where somebody knows it."""
    text = _C._js.values(value._h)
    return float(text) if text else None


def _fails(valid: Tensor) -> bool:
    """Whether one of some checks fails for certain: those of values that nobody knows count as passed."""
    return _known(valid.all()) == 0


def _standard_normal(shape: torch.Size, dtype: torch.dtype, device: torch.device) -> Tensor:
    return torch.empty(shape, dtype=dtype, device=device).normal_()


def _sum_rightmost(value: Tensor, dim: int) -> Tensor:
    return value if dim == 0 else value.reshape(value.shape[:-dim] + (-1,)).sum(-1)


def clamp_probs(probs: Tensor) -> Tensor:
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    return torch.sigmoid(logits) if is_binary else torch.nn.functional.softmax(logits, dim=-1)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    clamped = clamp_probs(probs)
    return torch.log(clamped) - torch.log1p(-clamped) if is_binary else torch.log(clamped)


def tril_matrix_to_vec(mat: Tensor, diag: int = 0) -> Tensor:
    """A `(..., d, d)` matrix's lower triangle, up to a diagonal, in rows: `(..., n)`."""
    n = mat.shape[-1]
    if not -n <= diag < n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    positions = torch.arange(n, device=mat.device)
    lower = positions < positions.view(-1, 1) + (diag + 1)
    vec = mat[..., lower]
    return vec


def vec_to_tril_matrix(vec: Tensor, diag: int = 0) -> Tensor:
    """The `(..., d, d)` matrix of which `vec` `(..., n)` is the lower triangle, up to a diagonal."""
    n = (-(1 + 2 * diag) + ((1 + 2 * diag) ** 2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if round(n) - n > torch.finfo(vec.dtype).eps:
        raise ValueError(
            f"The size of last dimension is {vec.shape[-1]} which cannot be expressed as a lower triangle."
        )
    n = round(n)
    mat = vec.new_zeros(vec.shape[:-1] + torch.Size((n, n)))
    positions = torch.arange(n, device=vec.device)
    lower = positions < positions.view(-1, 1) + (diag + 1)
    mat[..., lower] = vec
    return mat
