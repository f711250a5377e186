"""accelerate.data_loader: loaders that leave out their first batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from .checkpointing import without_first

if TYPE_CHECKING:
    from typing import Any


__getattr__ = lacks("accelerate.data_loader")


def skip_first_batches(dataloader: Any, num_batches: int = 0) -> Any:
    inner = getattr(dataloader, "_loader", None)
    if inner is None:
        return without_first(dataloader, num_batches)
    return type(dataloader)(without_first(inner, num_batches), dataloader._accelerator)
