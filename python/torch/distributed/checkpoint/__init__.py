"""torch.distributed.checkpoint: each rank writes what it has; files are not kept, memory counts."""

from __future__ import annotations

import os
import pickle
from typing import TYPE_CHECKING

import torch

from torch._stand_ins import note

from ..tensor import DTensor
from . import state_dict
from .stateful import Stateful as Stateful

if TYPE_CHECKING:
    from typing import Any


class FileSystemWriter:
    def __init__(self, path: Any, *_: Any, **__: Any) -> None:
        self.path = path


class FileSystemReader:
    def __init__(self, path: Any, *_: Any, **__: Any) -> None:
        self.path = path


def _staged(value):
    """What a writer takes from the device: one tensor after another, on the host."""
    if isinstance(value, DTensor):
        return value._local_tensor.detach().cpu()
    if isinstance(value, torch.Tensor):
        return value.detach().cpu()
    if isinstance(value, dict):
        return {key: _staged(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_staged(item) for item in value)
    return _staged(value.state_dict()) if hasattr(value, "state_dict") else value


def save(state_dict: dict, *, checkpoint_id: Any = None, storage_writer: Any = None, **_: Any) -> None:
    path = checkpoint_id or getattr(storage_writer, "path", None)
    _staged(dict(state_dict))
    if path is not None:
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, ".metadata"), "wb") as file:
            pickle.dump(sorted(map(str, state_dict)), file)


def async_save(state_dict: dict, *, checkpoint_id: Any = None, storage_writer: Any = None, **_: Any) -> Any:
    from torch.futures import Future

    save(state_dict, checkpoint_id=checkpoint_id, storage_writer=storage_writer)
    future = Future()
    future.set_result(None)
    return future


def load(state_dict: dict[str, Any], *, checkpoint_id: Any = None, storage_reader: Any = None, **_: Any) -> None:
    """Tensors keep their memory: what is read is copied into them."""
    path = checkpoint_id or getattr(storage_reader, "path", None)
    if path is not None and not os.path.exists(path):
        note("checkpoint_of_model", "file", os.fspath(path))
    for value in state_dict.values():
        if hasattr(value, "load_state_dict") and hasattr(value, "state_dict"):
            value.load_state_dict(value.state_dict())


save_state_dict, load_state_dict = save, load
