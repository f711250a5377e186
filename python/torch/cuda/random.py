"""Seeds of the GPU: accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import torch
    from torch import Tensor


def manual_seed(seed: int) -> None:
    pass


def manual_seed_all(seed: int) -> None:
    pass


def seed() -> None:
    pass


def seed_all() -> None:
    pass


def initial_seed() -> int:
    return 0


def get_rng_state(device: int | str | torch.device = "cuda") -> Tensor:
    import torch

    return torch.empty(16, dtype=torch.uint8)


def get_rng_state_all() -> list[Tensor]:
    return [get_rng_state()]


def set_rng_state(new_state: Tensor, device: int | str | torch.device = "cuda") -> None:
    pass


def set_rng_state_all(new_states: Iterable[Tensor]) -> None:
    pass
