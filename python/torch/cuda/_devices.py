"""Which GPU of the machine is current, and contexts that choose one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _C, _gpus
from .._gpus import count as device_count
from .._types import device as _device_type

if TYPE_CHECKING:
    from typing import Any

    import torch


def current_device() -> int | str:
    return _gpus.current


def ordinal(device: torch.device | str | int) -> Any:
    """The number of a device that a function was given; what is no device is the current one (_utils.py: _get_device_index)."""
    if not isinstance(device, (int, str, _device_type)):
        return current_device()
    index = _device_type(device).index
    if index is None:
        return current_device()
    if index >= device_count():
        raise AssertionError("Invalid device id")
    return index


def engine_name(device: torch.device | str | int | None) -> str:
    """How the engine calls the GPU that a function was given."""
    return "cuda" if device is None and _gpus.current == _gpus.first else _gpus.name_of(ordinal(device))


def set_device(device: torch.device | str | int | None) -> None:
    index = _device_type(device).index
    if index is None or index < 0:
        return
    if index >= device_count():
        _gpus.refuse(index)
    _gpus.make_current(index)


class device:
    """Context that selects a device."""

    def __init__(self, device: Any) -> None:
        self.idx = ordinal(device)

    def __enter__(self) -> None:
        self._before = current_device()
        set_device(self.idx)

    def __exit__(self, *_: Any) -> bool:
        set_device(self._before)
        return False


class device_of(device):
    """Context that selects the device of a tensor."""

    def __init__(self, obj: Any) -> None:
        self.idx = obj.get_device() if obj.is_cuda else current_device()


def untouched() -> Any:
    """Whether the process has neither chosen a device nor used one."""
    return _gpus.first == 0 and _gpus.current == 0 and _C._js.deviceUntouched()
