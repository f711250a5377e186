"""Seeds: accepted and remembered; no random numbers exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _ranked
from ._types import Generator

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import torch
    from torch import Tensor


default_generator = Generator("cpu")


def manual_seed(seed: int) -> torch.Generator:
    return default_generator.manual_seed(int(_ranked.draws(seed)))


def seed() -> int:
    return default_generator.seed()


def initial_seed() -> int:
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    pass


class fork_rng:
    def __init__(self, devices: Any = None, enabled: bool = True, **_: Any) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: Any) -> None:
        pass

    def __call__(self, f: Callable) -> Callable:
        return f
