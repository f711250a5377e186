"""What checkpointing asks of a region's arguments, and the states that it enters again for the recomputation."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import torch

from .. import _C

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from torch import Tensor


class DefaultDeviceType:
    """The device type of regions whose arguments hold no tensor on a device."""

    _default_device_type = "cuda"

    @staticmethod
    def set_device_type(device: str = "cuda") -> None:
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type() -> str:
        return DefaultDeviceType._default_device_type


def _device_type(args):
    for arg in args:
        if isinstance(arg, torch.Tensor) and arg.device.type != "cpu":
            return arg.device.type
    return DefaultDeviceType.get_device_type()


def detach_variable(inputs: tuple[Any, ...]) -> tuple[Tensor, ...]:
    if not isinstance(inputs, tuple):
        raise RuntimeError(f"Only tuple of tensors is supported. Got Unsupported input type: {type(inputs).__name__}")
    return tuple(_detached(x) if isinstance(x, torch.Tensor) else x for x in inputs)


def _detached(x):
    leaf = x.detach()
    leaf.requires_grad = x.requires_grad
    return leaf


def check_backward_validity(inputs: Iterable) -> None:
    if not any(isinstance(x, torch.Tensor) and x.requires_grad for x in inputs):
        warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)


def get_device_states(*args: Any) -> tuple[list[int], list[Tensor]]:
    """Random states live on the CPU and cost nothing here."""
    return [], []


def set_device_states(devices: Any, states: Any, *, device_type: str | None = None) -> None:
    pass


# The autocast state at forward is entered again for the recomputation.


def _autocast_state(device):
    return {
        "enabled": _C.is_autocast_enabled(device),
        "dtype": _C.get_autocast_dtype(device),
        "cache_enabled": _C.is_autocast_cache_enabled(),
    }


def _autocast_states(device):
    return (device, _autocast_state(device)), ("cpu", _autocast_state("cpu"))
