"""Spaces: what an observation or an action looks like."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING

import numpy as np

from . import _flat as utils
from ._flat import flatdim as flatdim, flatten as flatten

if TYPE_CHECKING:
    from typing import Any


class Space:
    def __init__(self, shape: Any = None, dtype: Any = None, seed: int | None = None) -> None:
        self.shape, self.dtype = shape, dtype

    def seed(self, seed: int | None = None) -> list:
        return [seed]


class Discrete(Space):
    def __init__(self, n: int, seed: int | None = None, start: int = 0) -> None:
        super().__init__((), np.int64)
        self.n, self.start = n, start

    def sample(self, mask: Any = None) -> Any:
        return random.randrange(self.start, self.start + self.n)

    def contains(self, x: Any) -> bool:
        return self.start <= x < self.start + self.n


class Box(Space):
    def __init__(
        self, low: Any, high: Any, shape: Any = None, dtype: Any = np.float32, seed: int | None = None
    ) -> None:
        super().__init__(tuple(shape if shape is not None else np.shape(low)), dtype)
        self.low = np.full(self.shape, low, dtype=dtype) if np.ndim(low) == 0 else low
        self.high = np.full(self.shape, high, dtype=dtype) if np.ndim(high) == 0 else high

    def sample(self, mask: Any = None) -> Any:
        return np.zeros(self.shape, dtype=self.dtype)

    def contains(self, x: Any) -> bool:
        return np.shape(x) == self.shape


class MultiDiscrete(Space):
    def __init__(self, nvec: Any, dtype: Any = np.int64, seed: int | None = None) -> None:
        self.nvec = np.array(nvec, dtype=dtype)
        super().__init__(self.nvec.shape, dtype)

    def sample(self, mask: Any = None) -> Any:
        return np.array([random.randrange(int(n)) for n in self.nvec.reshape(-1)], dtype=self.dtype).reshape(self.shape)


class MultiBinary(Space):
    def __init__(self, n: int, seed: int | None = None) -> None:
        self.n = n
        super().__init__((n,) if isinstance(n, int) else tuple(n), np.int8)

    def sample(self, mask: Any = None) -> Any:
        return np.zeros(self.shape, dtype=self.dtype)


class Dict(Space):
    """Spaces by name."""

    def __init__(self, spaces: Any = None, seed: int | None = None, **more: Any) -> None:
        super().__init__()
        self.spaces = {**dict(spaces or {}), **more}

    def __getitem__(self, name: str) -> Any:
        return self.spaces[name]

    def __iter__(self) -> Any:
        return iter(self.spaces)

    keys, items, values = (lambda self, n=n: getattr(self.spaces, n)() for n in ("keys", "items", "values"))

    def sample(self, mask: Any = None) -> dict:
        return {name: space.sample() for name, space in self.spaces.items()}


class Tuple(Space):
    """Spaces in order."""

    def __init__(self, spaces: Any, seed: int | None = None) -> None:
        super().__init__()
        self.spaces = tuple(spaces)

    def __getitem__(self, index: int) -> Any:
        return self.spaces[index]

    def __len__(self) -> int:
        return len(self.spaces)

    def sample(self, mask: Any = None) -> tuple:
        return tuple(space.sample() for space in self.spaces)


for _file in ("box", "dict", "discrete", "multi_binary", "multi_discrete", "space", "tuple"):
    sys.modules[f"{__name__}.{_file}"] = sys.modules[__name__]
sys.modules[f"{__name__}.utils"] = utils
