"""Functions that reduce dims and are Python in PyTorch, too (torch/functional.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C
from ._arguments import dims_of, out_form

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch
    from torch import Tensor


ops = _C.ops


def norm(
    input: Tensor,
    p: float | str | None = "fro",
    dim: int | Sequence[int] | None = None,
    keepdim: bool | None = False,
    out: Tensor | None = None,
    dtype: torch.dtype | None = None,
) -> Tensor:
    if p == "fro" or p is None:
        p = 2
    if p == "nuc":
        return ops.linalg_svdvals(input).sum(-1)
    return out_form(out, ops.linalg_vector_norm, input, p, dims_of(dim), keepdim, dtype)


METHODS = ("norm",)
