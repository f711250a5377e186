"""What save_state writes and load_state reads: models, optimizers, schedulers, the scaler, and what a program registered."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any

# kinds of what is saved -> the names of their files, numbered from the second on
_FILES = {
    "models": "pytorch_model",
    "optimizers": "optimizer",
    "schedulers": "scheduler",
    "custom": "custom_checkpoint",
}


def _named(kept):
    for kind, things in kept.items():
        for i, thing in enumerate(things):
            numbered = f"_{i}" if i or kind == "custom" else ""
            yield thing, f"{_FILES[kind]}{numbered}.{'pkl' if kind == 'custom' else 'bin'}"


def save(folder: str, kept: dict) -> str:
    os.makedirs(folder, exist_ok=True)
    for thing, name in _named(kept):
        torch.save(thing.state_dict(), os.path.join(folder, name))
    return folder


def load(folder: str, kept: dict) -> None:
    """Reads everything to the CPU, as one process does, and has each thing take its part."""
    for thing, name in _named(kept):
        thing.load_state_dict(torch.load(os.path.join(folder, name), map_location="cpu", weights_only=False))


class Skipping:
    """Batches behind the first ones: their samples are not read."""

    def __init__(self, batches: Any, count: int) -> None:
        self.batches, self.count = batches, count

    def __iter__(self) -> Any:
        for i, batch in enumerate(self.batches):
            if i >= self.count:
                yield batch

    def __len__(self) -> int:
        return len(self.batches) - self.count


def without_first(loader: Any, count: int) -> Any:
    """A loader like another one whose first batches are left out."""
    return torch.utils.data.DataLoader(
        loader.dataset,
        batch_sampler=Skipping(loader.batch_sampler, count),
        num_workers=loader.num_workers,
        collate_fn=loader.collate_fn,
        pin_memory=loader.pin_memory,
    )
