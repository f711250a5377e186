"""gymnasium.utils: generators of environments, and what they derive from."""

import sys
from types import SimpleNamespace

import numpy as np


class EzPickle:
    """Keeps the arguments that it was made with."""

    def __init__(self, *args, **kwargs):
        self._ezpickle_args, self._ezpickle_kwargs = args, kwargs


def np_random(seed=None):
    """A generator and its seed."""
    return np.random.default_rng(seed), seed


seeding = SimpleNamespace(np_random=np_random, RandomNumberGenerator=np.random.Generator)
sys.modules[f"{__name__}.seeding"] = seeding
