"""Spaces: what an observation or an action looks like."""

import random
import sys

import numpy as np


class Space:
    def __init__(self, shape=None, dtype=None, seed=None):
        self.shape, self.dtype = shape, dtype

    def seed(self, seed=None):
        return [seed]


class Discrete(Space):
    def __init__(self, n, seed=None, start=0):
        super().__init__((), np.int64)
        self.n, self.start = n, start

    def sample(self, mask=None):
        return random.randrange(self.start, self.start + self.n)

    def contains(self, x):
        return self.start <= x < self.start + self.n


class Box(Space):
    def __init__(self, low, high, shape=None, dtype=np.float32, seed=None):
        super().__init__(tuple(shape if shape is not None else np.shape(low)), dtype)
        self.low = np.full(self.shape, low, dtype=dtype) if np.ndim(low) == 0 else low
        self.high = np.full(self.shape, high, dtype=dtype) if np.ndim(high) == 0 else high

    def sample(self, mask=None):
        return np.zeros(self.shape, dtype=self.dtype)

    def contains(self, x):
        return np.shape(x) == self.shape


class MultiDiscrete(Space):
    def __init__(self, nvec, dtype=np.int64, seed=None):
        self.nvec = np.array(nvec, dtype=dtype)
        super().__init__(self.nvec.shape, dtype)

    def sample(self, mask=None):
        return np.array([random.randrange(int(n)) for n in self.nvec.reshape(-1)], dtype=self.dtype).reshape(self.shape)


class MultiBinary(Space):
    def __init__(self, n, seed=None):
        self.n = n
        super().__init__((n,) if isinstance(n, int) else tuple(n), np.int8)

    def sample(self, mask=None):
        return np.zeros(self.shape, dtype=self.dtype)


class Dict(Space):
    """Spaces by name."""

    def __init__(self, spaces=None, seed=None, **more):
        super().__init__()
        self.spaces = {**dict(spaces or {}), **more}

    def __getitem__(self, name):
        return self.spaces[name]

    def __iter__(self):
        return iter(self.spaces)

    keys, items, values = (lambda self, n=n: getattr(self.spaces, n)() for n in ("keys", "items", "values"))

    def sample(self, mask=None):
        return {name: space.sample() for name, space in self.spaces.items()}


class Tuple(Space):
    """Spaces in order."""

    def __init__(self, spaces, seed=None):
        super().__init__()
        self.spaces = tuple(spaces)

    def __getitem__(self, index):
        return self.spaces[index]

    def __len__(self):
        return len(self.spaces)

    def sample(self, mask=None):
        return tuple(space.sample() for space in self.spaces)


for _file in ("box", "dict", "discrete", "multi_binary", "multi_discrete", "space", "tuple"):
    sys.modules[f"{__name__}.{_file}"] = sys.modules[__name__]
