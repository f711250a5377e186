"""Masks, and means under them, as torch_einops_utils names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .shapes import pad_right_ndim, reverse_cumsum, shift_left, shift_right, there

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def masked_reduce(
    t: Tensor,
    mode: str = "mean",
    mask: Tensor | None = None,
    dim: int | None = None,
    eps: float = 1e-5,
    keepdim: bool = False,
) -> Any:
    """`mode` of what the mask leaves: mean, sum or none; a mask of fewer axes stands for the first ones."""
    if mode not in ("mean", "sum", "none"):
        raise AssertionError(f"unsupported reduction mode {mode}")
    if isinstance(dim, slice):
        dim = tuple(range(t.ndim)[dim])
    if dim is None and keepdim:
        dim = tuple(range(t.ndim))
    over = {} if dim is None else {"dim": dim, "keepdim": keepdim}
    if mask is None:
        return t if mode == "none" else getattr(t, mode)(**over)
    if mask.ndim < t.ndim:
        mask = pad_right_ndim(mask, t.ndim - mask.ndim)
    mask = mask.expand_as(t)
    masked = t * mask
    if mode == "none":
        return masked
    num = masked.sum(**over)
    if mode == "sum":
        return num
    den = mask.sum(**over)
    return num / den.clamp(min=eps)


def masked_mean(
    t: Tensor, mask: Tensor | None = None, dim: int | None = None, eps: float = 1e-5, keepdim: bool = False
) -> Any:
    return masked_reduce(t, "mean", mask, dim, eps, keepdim)


def masked_sum(t: Tensor, mask: Tensor | None = None, dim: int | None = None, keepdim: bool = False) -> Any:
    return masked_reduce(t, "sum", mask, dim, keepdim=keepdim)


def lens_to_mask(lens: Any, max_len: int | None = None) -> bool:
    """[...] lengths become [..., longest], True where a place lies within."""
    if max_len is None:
        max_len = lens.amax().item()
    positions = torch.arange(max_len, device=lens.device)
    lens = lens.unsqueeze(-1)
    return positions < lens


def _join(masks, operator):
    found = there(masks)
    if not found:
        return None
    mask, *rest = found
    for other in rest:
        mask = operator(mask, other)
    return mask


def and_masks(masks: Tensor) -> Any:
    return _join(masks, torch.logical_and)


def or_masks(masks: Tensor) -> Any:
    return _join(masks, torch.logical_or)


def mask_after(t: Tensor, value: Any, dim: int = -1, inclusive: bool = True) -> bool:
    """True up to the first `value`, with it where `inclusive`."""
    mask = t == value
    if inclusive:
        mask = shift_right(mask, dim=dim, pad_value=False)
    return mask.float().cumsum(dim=dim) == 0.0


def mask_before(t: Tensor, value: Any, dim: int = -1, inclusive: bool = True) -> bool:
    """True from the last `value` on, with it where `inclusive`."""
    mask = t == value
    if inclusive:
        mask = shift_left(mask, dim=dim, pad_value=False)
    return reverse_cumsum(mask.float(), dim=dim) == 0.0
