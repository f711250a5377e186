"""ZeroRedundancyOptimizer around PyTorch's optimizers: under DDP each rank keeps the states of its share of the parameters."""

from __future__ import annotations

import inspect

import torch
import torch.distributed as dist
from torch.distributed.optim import ZeroRedundancyOptimizer


def apply() -> None:
    for name, kind in list(vars(torch.optim).items()):
        if isinstance(kind, type) and issubclass(kind, torch.optim.Optimizer) and kind is not torch.optim.Optimizer:
            setattr(torch.optim, name, _shared_out(kind))


def _shared_out(kind):
    signature = inspect.signature(kind.__init__)

    class SharedOut(kind):
        def __new__(cls, *args, **kwargs):
            if cls is not SharedOut or not dist.is_initialized() or dist.get_world_size() == 1:
                return object.__new__(cls)
            _, params, *rest = signature.bind(None, *args, **kwargs).arguments.items()
            given = dict(rest)
            given.update(given.pop("kwargs", {}))
            params = list(params[1])
            # parameters that lie in parts already have states in parts
            if any(type(p) is not torch.nn.Parameter for p in _tensors_of(params)):
                return object.__new__(cls)
            return ZeroRedundancyOptimizer(params, optimizer_class=kind, **given)

    SharedOut.__name__ = SharedOut.__qualname__ = kind.__name__
    SharedOut.__module__ = kind.__module__
    return SharedOut


def _tensors_of(params):
    for entry in params:
        # groups are dictionaries, and parameters may come with their names
        if isinstance(entry, dict):
            yield from entry["params"]
        else:
            yield entry[1] if isinstance(entry, tuple) else entry
