"""What a Trainer works with: several loaders as one, what DDP wraps, loggers from an argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.utils.data import DataLoader

from .loggers import CSVLogger, Logger

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Steps(nn.Module):
    """What DDP wraps: its forward is the training step."""

    def __init__(self, module: torch.nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, *args: Any) -> Any:
        return self.module.training_step(*args)


class Pairs:
    """Batches of several loaders at once, until the longest ends."""

    def __init__(self, loaders: Any) -> None:
        self._loaders = loaders

    def __len__(self) -> int:
        sizes = self._loaders.values() if isinstance(self._loaders, dict) else self._loaders
        return max(map(len, sizes))

    def __iter__(self) -> Iterator[Any]:
        for parts in zip(*(self._loaders.values() if isinstance(self._loaders, dict) else self._loaders)):
            yield dict(zip(self._loaders, parts)) if isinstance(self._loaders, dict) else list(parts)


def combined(loader: Any) -> Any:
    return Pairs(loader) if isinstance(loader, (dict, list, tuple)) and not isinstance(loader, DataLoader) else loader


def overrides(source: str, name: str) -> bool:
    own = getattr(type(source), name, None)
    return name in vars(source) or (own is not None and not own.__module__.startswith("lightning."))


def on_host(output: Any) -> Any:
    from lightning.fabric.devices import to_device

    return to_device(output, torch.device("cpu"))


def loggers_of(logger: Any, folder: str) -> list:
    if logger is False:
        return []
    if isinstance(logger, Logger):
        return [logger]
    if isinstance(logger, (list, tuple)):
        return list(logger)
    return [CSVLogger(folder)] if logger in (None, True) else [logger]
