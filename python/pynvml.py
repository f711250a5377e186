"""Stand-in for pynvml: the simulated GPU. Memory in use is what the allocator reserves and the expected context."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any


__version__ = "12.0.0"
__getattr__ = lacks("pynvml")
NVML_TEMPERATURE_GPU = 0


class NVMLError(Exception):
    """What NVML reports."""


class _Memory:
    """Bytes: total, used, free."""

    def __init__(self) -> None:
        free, self.total = torch.cuda.mem_get_info()
        self.free, self.used = free, self.total - free


class _Utilization:
    gpu = memory = 0


def nvmlInit() -> None:
    note("simulated_figures", "library", "pynvml")


def nvmlShutdown() -> None:
    """Nothing was opened."""


def nvmlDeviceGetCount() -> Any:
    return torch.cuda.device_count()


def nvmlDeviceGetHandleByIndex(index: int) -> Any:
    if not 0 <= index < torch.cuda.device_count():
        raise NVMLError("Invalid Argument")
    return index


def nvmlDeviceGetName(handle: Any) -> Any:
    return torch.cuda.get_device_name(handle)


def nvmlDeviceGetMemoryInfo(handle: Any, version: str | None = None) -> _Memory:
    torch.cuda.init()
    return _Memory()


def nvmlDeviceGetUtilizationRates(handle: Any) -> _Utilization:
    return _Utilization()


def nvmlSystemGetDriverVersion() -> str:
    return "simulated"
