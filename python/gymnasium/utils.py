"""gymnasium.utils: generators of environments, and what they derive from."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any


class EzPickle:
    """Keeps the arguments that it was made with."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._ezpickle_args, self._ezpickle_kwargs = args, kwargs


def np_random(seed: int | None = None) -> tuple:
    """A generator and its seed."""
    return np.random.default_rng(seed), seed


seeding = SimpleNamespace(np_random=np_random, RandomNumberGenerator=np.random.Generator)
sys.modules[f"{__name__}.seeding"] = seeding
