"""torchsearchsorted, the compiled extension that NeRF programs sample with: places in sorted rows, as torch.searchsorted finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["searchsorted"]


def searchsorted(a: Tensor, v: Tensor, out: Tensor | None = None, side: str = "left") -> Tensor:
    """Where each value of `v` belongs in its sorted row of `a`; one row of either serves all rows of the other."""
    if a.dim() != 2 or v.dim() != 2:
        raise AssertionError("inputs `a` and `v` must be 2-D.")
    rows = max(a.shape[0], v.shape[0])
    if any(given.shape[0] not in (1, rows) for given in (a, v)):
        raise AssertionError("`a` and `v` must have the same number of rows or one of them must have only one")
    if out is None:
        out = torch.empty((rows, v.shape[1]), device=v.device, dtype=torch.long)
    if not v.is_cuda:
        found = torch.searchsorted(a.expand(rows, -1).contiguous(), v.expand(rows, -1).contiguous(), side=side)
        out.copy_(found)
    return out


__getattr__ = lacks("torchsearchsorted")
