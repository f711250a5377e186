"""gymnasium.spaces.utils: how many numbers an element of a space is, and that element as one row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any

    from .spaces import Space


def flatdim(space: Space) -> int:
    """A choice counts once for each of its values."""
    if hasattr(space, "spaces"):
        return sum(map(flatdim, _parts(space)))
    if hasattr(space, "nvec"):
        return int(space.nvec.sum())
    return space.n if space.shape == () and hasattr(space, "n") else math.prod(space.shape)


def flatten(space: Space, x: Any) -> np.ndarray:
    """`(flatdim)` numbers: values as they are, choices as ones among zeros."""
    if hasattr(space, "spaces"):
        elements = [x[name] for name in space.spaces] if isinstance(space.spaces, dict) else list(x)
        return np.concatenate([flatten(part, element) for part, element in zip(_parts(space), elements)])
    if space.shape == () and hasattr(space, "n"):
        row = np.zeros(space.n, dtype=space.dtype)
        row[int(x) - space.start] = 1
        return row
    return np.asarray(x, dtype=space.dtype).flatten()


def _parts(space):
    return list(space.spaces.values()) if isinstance(space.spaces, dict) else list(space.spaces)
