"""What a Trainer works with: several loaders as one, what DDP wraps, loggers from an argument."""

import torch
from torch import nn
from torch.utils.data import DataLoader

from .loggers import CSVLogger, Logger


class Steps(nn.Module):
    """What DDP wraps: its forward is the training step."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, *args):
        return self.module.training_step(*args)


class Pairs:
    """Batches of several loaders at once, until the longest ends."""

    def __init__(self, loaders):
        self._loaders = loaders

    def __len__(self):
        sizes = self._loaders.values() if isinstance(self._loaders, dict) else self._loaders
        return max(map(len, sizes))

    def __iter__(self):
        for parts in zip(*(self._loaders.values() if isinstance(self._loaders, dict) else self._loaders)):
            yield dict(zip(self._loaders, parts)) if isinstance(self._loaders, dict) else list(parts)


def combined(loader):
    return Pairs(loader) if isinstance(loader, (dict, list, tuple)) and not isinstance(loader, DataLoader) else loader


def overrides(source, name):
    own = getattr(type(source), name, None)
    return name in vars(source) or (own is not None and not own.__module__.startswith("lightning."))


def on_host(output):
    from lightning.fabric.devices import to_device

    return to_device(output, torch.device("cpu"))


def loggers_of(logger, folder):
    if logger is False:
        return []
    if isinstance(logger, Logger):
        return [logger]
    if isinstance(logger, (list, tuple)):
        return list(logger)
    return [CSVLogger(folder)] if logger in (None, True) else [logger]
