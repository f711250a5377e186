"""Seeds of the GPU: accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import torch
    from torch import Tensor


class _Generators:
    """One for each GPU that there is."""

    def __init__(self) -> None:
        self._made = {}

    def __getitem__(self, place: int) -> torch.Generator:
        import torch

        if not -torch.cuda.device_count() <= place < torch.cuda.device_count():
            raise IndexError("tuple index out of range")
        place %= torch.cuda.device_count()
        return self._made.setdefault(place, torch.Generator(f"cuda:{place}"))

    def __len__(self) -> int:
        import torch

        return torch.cuda.device_count()


default_generators = _Generators()


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
