"""lightning.fabric.utilities.load and init: what a checkpoint holds, tensor by tensor, and how modules begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any, Self


class _NotYetLoadedTensor:
    """A tensor of a file that nobody has asked for yet; here all are loaded at once."""

    def _load_tensor(self):
        return self


def _lazy_load(filename):
    return torch.load(filename, mmap=True)


class _EmptyInit:
    """Parameters keep the memory that they are made in."""

    def __init__(self, enabled: bool = True) -> None:
        self.enabled = enabled

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> bool:
        return False


def _materialize_meta_tensors(module, device):
    """Parameters of the meta device get memory, and begin as their modules say."""
    for child in module.modules():
        own = [*child._parameters.values(), *child._buffers.values()]
        if any(value is not None and value.is_meta for value in own):
            child.to_empty(device=device, recurse=False)
            child.reset_parameters()


def _materialize_tensors(collection):
    return collection


__getattr__ = lacks("lightning.fabric.utilities.load")
