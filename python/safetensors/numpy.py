"""safetensors.numpy: the same files as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import torch as _torch
from ._open import safe_open

if TYPE_CHECKING:
    from typing import Any

    import numpy


def load_file(filename: Any, **_: Any) -> dict[str, numpy.ndarray]:
    with safe_open(filename, framework="np") as file:
        return {name: file.get_tensor(name) for name in file.keys()}


def load(data: bytes) -> dict[str, numpy.ndarray]:
    return {name: tensor.numpy() for name, tensor in _torch.load(data).items()}


def _tensors(arrays):
    import torch

    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def save_file(tensor_dict: dict[str, numpy.ndarray], filename: Any, metadata: dict[str, str] | None = None) -> None:
    _torch.save_file(_tensors(tensor_dict), filename, metadata)


def save(tensor_dict: dict[str, numpy.ndarray], metadata: dict[str, str] | None = None) -> bytes:
    return _torch.save(_tensors(tensor_dict), metadata)
