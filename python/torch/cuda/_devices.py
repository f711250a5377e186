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
    return _gpus.current_place


def ordinal(device: torch.device | str | int) -> Any:
    """The number of a device that a function was given; what is no device is the current one (_utils.py: _get_device_index)."""
    if not isinstance(device, (int, str, _device_type)):
        return current_device()
    place = _device_type(device).place
    if place is None:
        return current_device()
    if place >= device_count():
        raise AssertionError("Invalid device id")
    return place


def engine_name(device: torch.device | str | int | None) -> str:
    """How the engine calls the GPU that a function was given."""
    if device is None and _gpus.current_place is _gpus.first_place:
        return "cuda"
    return _gpus.name_of(ordinal(device))


def set_device(device: torch.device | str | int | None) -> None:
    # the number of a GPU that was current before comes back as it is
    place = device if isinstance(device, int) else _device_type(device).place
    if place is None or place < 0:
        return
    if place >= device_count():
        _gpus.refuse(place)
    _gpus.make_current(place)


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
