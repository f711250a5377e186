"""pack and unpack: several tensors along one axis, and back."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING

import torch

from . import EinopsError
from .parsing import valid_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor


@functools.lru_cache(128)
def _read(pattern, name):
    axes = pattern.split()
    if len(axes) != len(set(axes)):
        raise EinopsError(f'Duplicates in axes names in {name}(..., "{pattern}")')
    if "*" not in axes:
        raise EinopsError(f'No *-axis in {name}(..., "{pattern}")')
    for axis in axes:
        if axis != "*" and not valid_name(axis)[0]:
            raise EinopsError(f'Invalid axis name {axis} in {name}(..., "{pattern}")')
    return axes.index("*"), len(axes) - axes.index("*") - 1


def pack(tensors: Sequence[Tensor], pattern: str) -> tuple[Tensor, list]:
    before, after = _read(pattern, "pack")
    flat, shapes = [], []
    for i, tensor in enumerate(tensors):
        shape = tensor.shape
        if len(shape) < before + after:
            raise EinopsError(
                f"packed tensor #{i} has shape {shape}, while pattern {pattern} assumes at least {before + after} axes"
            )
        end = len(shape) - after
        shapes.append(shape[before:end])
        flat.append(tensor.reshape((*shape[:before], -1, *shape[end:])))
    return torch.cat(flat, dim=before), shapes


def unpack(tensor: Tensor, packed_shapes: list, pattern: str) -> list[Tensor]:
    before, after = _read(pattern, "unpack")
    shape = tensor.shape
    if len(shape) != before + 1 + after:
        raise EinopsError(f"unpack(..., {pattern}) received input of wrong dim with shape {shape}")
    total = shape[before]
    sizes = [-1 if -1 in packed else math.prod(packed) for packed in packed_shapes]
    if sizes.count(-1) > 1:
        raise EinopsError(
            f"unpack(..., {pattern}) received more than one -1 in {packed_shapes} and can't infer dimensions"
        )
    if -1 in sizes:
        sizes[sizes.index(-1)] = total - (sum(sizes) + 1)
    elif sizes:
        sizes[-1] = total - sum(sizes[:-1])
    parts, start = [], 0
    try:
        for size, packed in zip(sizes, packed_shapes):
            part = tensor[(slice(None),) * before + (slice(start, start + size),)]
            parts.append(part.reshape((*shape[:before], *packed, *shape[before + 1 :])))
            start += size
        return parts
    except Exception as error:
        raise EinopsError(
            f'Error during unpack(..., "{pattern}"): could not split axis of size {total} into requested {packed_shapes}'
        ) from error
