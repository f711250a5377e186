"""Stand-in for psutil: figures of a simulated host with 64 GiB, of which this process uses 1 GiB."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any


__version__ = "7.0.0"
__getattr__ = lacks("psutil")
_GIB = 2**30
_TOTAL, _USED = 64 * _GIB, _GIB
svmem = namedtuple("svmem", "total available percent used free")
pmem = namedtuple("pmem", "rss vms shared uss")


def virtual_memory() -> Any:
    """Bytes of the simulated host."""
    note("simulated_figures", "library", "psutil")
    return svmem(_TOTAL, _TOTAL - _USED, 100 * _USED / _TOTAL, _USED, _TOTAL - _USED)


def cpu_count(logical: bool = True) -> int:
    return 16 if logical else 8


def cpu_percent(interval: Any = None, percpu: bool = False) -> Any:
    return [0.0] * 16 if percpu else 0.0


class Process:
    """The simulated process."""

    def __init__(self, pid: int | None = None) -> None:
        self.pid = 1 if pid is None else pid

    def memory_info(self) -> Any:
        note("simulated_figures", "library", "psutil")
        return pmem(_USED, _USED, 0, _USED)

    memory_full_info = memory_info

    def memory_percent(self) -> Any:
        return 100 * _USED / _TOTAL

    def cpu_percent(self, interval: Any = None) -> float:
        return 0.0

    def name(self) -> str:
        return "python"
