"""torch.accelerator: the same GPU as torch.cuda under a name without a vendor."""

from __future__ import annotations

from importlib import import_module as _module
from typing import TYPE_CHECKING
from ._types import device as _device

if TYPE_CHECKING:
    import torch
    from torch.cuda.streams import Stream


cuda = _module("torch.cuda")


def is_available() -> bool | None:
    return True


device_count = cuda.device_count


def current_accelerator(check_available: bool = False) -> torch.device | None:
    return _device("cuda")


def current_device_index() -> int:
    return cuda.current_device()


current_device_idx = current_device_index


def set_device_index(device: torch.device | str | int | None) -> None:
    cuda.set_device(device)


set_device_idx = set_device_index


def synchronize(device: torch.device | str | int | None = None) -> None:
    cuda.synchronize()


def current_stream(device: torch.device | str | int | None = None) -> Stream | torch.Stream:
    return cuda.current_stream(device)


def set_stream(stream: Stream | torch.Stream) -> None:
    cuda.set_stream(stream)


empty_cache, memory_stats, memory_allocated = cuda.empty_cache, cuda.memory_stats, cuda.memory_allocated
max_memory_allocated, memory_reserved, max_memory_reserved = (
    cuda.max_memory_allocated,
    cuda.memory_reserved,
    cuda.max_memory_reserved,
)
reset_accumulated_memory_stats, reset_peak_memory_stats = (
    cuda.reset_accumulated_memory_stats,
    cuda.reset_peak_memory_stats,
)


class device_index:
    """Context that selects a device by its number; None leaves it as it is."""

    def __init__(self, device: int | None, /) -> None:
        self.idx, self.prev_idx = device, -1

    def __enter__(self) -> None:
        if self.idx is not None:
            self.prev_idx = cuda.current_device()
            cuda.set_device(self.idx)

    def __exit__(self, *_: object) -> None:
        if self.idx is not None:
            cuda.set_device(self.prev_idx)
