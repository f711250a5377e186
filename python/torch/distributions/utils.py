"""torch.distributions.utils: what distributions of others are written with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import _base

if TYPE_CHECKING:
    from torch import Tensor

broadcast_all = _base._tensors
lazy_property = _base._Lazy
_sum_rightmost = _base._sum_rightmost


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
    return mat[..., positions < positions.view(-1, 1) + (diag + 1)]


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
    mat[..., positions < positions.view(-1, 1) + (diag + 1)] = vec
    return mat


def _standard_normal(shape: torch.Size, dtype: torch.dtype, device: torch.device) -> Tensor:
    return torch.normal(torch.zeros(shape, dtype=dtype, device=device), torch.ones(shape, dtype=dtype, device=device))
