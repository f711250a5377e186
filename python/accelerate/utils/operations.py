"""What processes hand each other: the only one has everything already."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

from accelerate.accelerator import _moved

if TYPE_CHECKING:
    from typing import Any

__all__ = ["broadcast", "broadcast_object_list", "concatenate", "gather", "gather_object", "pad_across_processes", "reduce", "send_to_device"]  # noqa: E501 # fmt: skip

__getattr__ = lacks("accelerate.utils.operations")


def gather(tensor: Any) -> Any:
    return tensor


def gather_object(object: Any) -> Any:  # noqa: A002
    return object


def broadcast(tensor: Any, from_process: int = 0) -> Any:
    return tensor


def broadcast_object_list(object_list: list, from_process: int = 0) -> list:
    return object_list


def pad_across_processes(tensor: Any, dim: int = 0, pad_index: int = 0, pad_first: bool = False) -> Any:
    return tensor


def reduce(tensor: Any, reduction: str = "mean", scale: float = 1.0) -> Any:
    return tensor


def send_to_device(tensor: Any, device: Any, non_blocking: bool = False, skip_keys: Any = None) -> Any:
    return _moved(tensor, device)


def concatenate(data: Any, dim: int = 0) -> Any:
    """Batches of one kind, joined part by part."""
    first = data[0]
    if isinstance(first, (tuple, list)):
        return type(first)(concatenate([batch[i] for batch in data], dim) for i in range(len(first)))
    if isinstance(first, dict):
        return type(first)({key: concatenate([batch[key] for batch in data], dim) for key in first})
    return torch.cat(data, dim=dim)
