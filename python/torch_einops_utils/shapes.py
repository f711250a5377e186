"""Padding, slicing, joining and trees of tensors, as torch_einops_utils names them."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from einops import pack, unpack
from torch.utils import _pytree

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


def maybe(fn: Callable, default: Any = None) -> Any:
    """`fn` for a tensor that is there; `default` for None."""
    if fn is None:
        return lambda t, *args, **kwargs: t

    @functools.wraps(fn)
    def if_there(t, *args, **kwargs):
        return default if t is None else fn(t, *args, **kwargs)

    return if_there


def there(tensors: Any) -> list:
    return [t for t in tensors if t is not None]


def pad_ndim(t: Tensor, ndims: Any) -> Tensor:
    """Axes of length one before and after those of `t`: `ndims` = (how many before, how many after)."""
    before, after = ndims
    return t.reshape(*[1] * before, *t.shape, *[1] * after)


def pad_left_ndim(t: Tensor, ndims: Any) -> Tensor:
    return pad_ndim(t, (ndims, 0))


def pad_right_ndim(t: Tensor, ndims: Any) -> Tensor:
    return pad_ndim(t, (0, ndims))


def pad_left_ndim_to(t: Tensor, ndims: Any) -> Any:
    return t if t.ndim >= ndims else pad_ndim(t, (ndims - t.ndim, 0))


def pad_right_ndim_to(t: Tensor, ndims: Any) -> Any:
    return t if t.ndim >= ndims else pad_ndim(t, (0, ndims - t.ndim))


def slice_at_dim(t: Tensor, slc: Any, dim: int = -1) -> Any:
    index = [slice(None)] * t.ndim
    index[dim] = slc
    return t[tuple(index)]


def slice_left_at_dim(t: Tensor, length: int, dim: int = -1) -> Any:
    return slice_at_dim(t, slice(0, 0) if length == 0 else slice(None, length), dim)


def slice_right_at_dim(t: Tensor, length: int, dim: int = -1) -> Any:
    return slice_at_dim(t, slice(0, 0) if length == 0 else slice(-length, None), dim)


def pad_at_dim(t: Tensor, pad: Any, *, dim: int = -1, value: float = 0.0) -> Tensor:
    """`pad` = (before, after) along one axis; negative numbers cut."""
    axes_after = -dim - 1 if dim < 0 else t.ndim - dim - 1
    return F.pad(t, (0, 0) * axes_after + tuple(pad), value=value)


def pad_left_at_dim(t: Tensor, pad: Any, **options: Any) -> Tensor:
    return pad_at_dim(t, (pad, 0), **options)


def pad_right_at_dim(t: Tensor, pad: Any, **options: Any) -> Tensor:
    return pad_at_dim(t, (0, pad), **options)


def pad_left_at_dim_to(t: Tensor, length: int, dim: int = -1, **options: Any) -> Any:
    missing = length - t.shape[dim]
    return t if missing <= 0 else pad_at_dim(t, (missing, 0), dim=dim, **options)


def pad_right_at_dim_to(t: Tensor, length: int, dim: int = -1, **options: Any) -> Any:
    missing = length - t.shape[dim]
    return t if missing <= 0 else pad_at_dim(t, (0, missing), dim=dim, **options)


def shift(t: Tensor, amount: int = 1, dim: int = -1, pad_value: float = 0.0) -> Tensor:
    return pad_at_dim(t, (amount, -amount), dim=dim, value=pad_value)


def shift_right(t: Tensor, amount: int = 1, dim: int = -1, pad_value: float = 0.0) -> Tensor:
    return shift(t, amount, dim, pad_value)


def shift_left(t: Tensor, amount: int = 1, dim: int = -1, pad_value: float = 0.0) -> Tensor:
    return shift(t, -amount, dim, pad_value)


def pad_sequence(
    tensors: Any,
    *,
    dim: int = -1,
    value: float = 0.0,
    left: bool = False,
    dim_stack: int = 0,
    return_stacked: bool = True,
    return_lens: bool = False,
    pad_lens: bool = False,
) -> tuple | Tensor | list | None:
    """Tensors of several lengths, padded to the longest; with `return_lens` also their lengths, or what was added."""
    if len(tensors) == 0:
        return None
    lens = torch.tensor([t.shape[dim] for t in tensors], device=tensors[0].device)
    longest = max(t.shape[dim] for t in tensors)
    sides = [(longest - t.shape[dim], 0) if left else (0, longest - t.shape[dim]) for t in tensors]
    padded = [pad_at_dim(t, side, dim=dim, value=value) for t, side in zip(tensors, sides)]
    made = torch.stack(padded, dim=dim_stack) if return_stacked else padded
    if not return_lens:
        return made
    return made, longest - lens if pad_lens else lens


def safe_cat(tensors: Any, dim: int = 0) -> Any:
    """Of those that are there; one alone is itself."""
    found = there(tensors)
    return None if not found else found[0] if len(found) == 1 else torch.cat(found, dim=dim)


def safe_stack(tensors: Any, dim: int = 0) -> Tensor | None:
    found = there(tensors)
    return torch.stack(found, dim=dim) if found else None


def exclusive_cumsum(t: Tensor, dim: int = -1) -> Any:
    return t.cumsum(dim=dim) - t


def reverse_cumsum(t: Tensor, dim: int = -1) -> Any:
    return t.sum(dim=dim, keepdim=True) - t.cumsum(dim=dim) + t


def tree_map_tensor(fn: Callable, tree: Any) -> Any:
    return _pytree.tree_map(lambda leaf: fn(leaf) if torch.is_tensor(leaf) else leaf, tree)


def tree_flatten_with_inverse(tree: Any) -> tuple:
    leaves, spec = _pytree.tree_flatten(tree)
    return leaves, lambda changed: _pytree.tree_unflatten(changed, spec)


def pack_with_inverse(t: Tensor, pattern: str) -> tuple:
    """What einops packs, and a function that unpacks it."""
    alone = torch.is_tensor(t)
    packed, shapes = pack([t] if alone else t, pattern)

    def inverse(out, inv_pattern=None):
        parts = unpack(out, shapes, pattern if inv_pattern is None else inv_pattern)
        return parts[0] if alone else parts

    return packed, inverse


def batched_index_select(values: Tensor, indices: Tensor, dim: int = 1) -> Any:
    """Rows of `values` [..., n, ...] by `indices`, whose leading axes are those of `values`."""
    dim %= values.ndim
    before = []
    for axis in range(dim):
        positions = torch.arange(values.shape[axis], device=values.device)
        before.append(pad_right_ndim_to(pad_left_ndim(positions, axis), indices.ndim))
    return values[(*before, indices)]
