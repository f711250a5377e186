"""Stand-in for psutil: figures of a simulated host with 64 GiB, of which this process uses 1 GiB."""

from collections import namedtuple

from torch._stand_ins import lacks, note

__version__ = "7.0.0"
__getattr__ = lacks("psutil")
_GIB = 2**30
_TOTAL, _USED = 64 * _GIB, _GIB
svmem = namedtuple("svmem", "total available percent used free")
pmem = namedtuple("pmem", "rss vms shared uss")


def virtual_memory():
    """Bytes of the simulated host."""
    note("simulated_figures", "library", "psutil")
    return svmem(_TOTAL, _TOTAL - _USED, 100 * _USED / _TOTAL, _USED, _TOTAL - _USED)


def cpu_count(logical=True):
    return 16 if logical else 8


def cpu_percent(interval=None, percpu=False):
    return [0.0] * 16 if percpu else 0.0


class Process:
    """The simulated process."""

    def __init__(self, pid=None):
        self.pid = 1 if pid is None else pid

    def memory_info(self):
        note("simulated_figures", "library", "psutil")
        return pmem(_USED, _USED, 0, _USED)

    memory_full_info = memory_info

    def memory_percent(self):
        return 100 * _USED / _TOTAL

    def cpu_percent(self, interval=None):
        return 0.0

    def name(self):
        return "python"
