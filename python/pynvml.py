"""Stand-in for pynvml: the simulated GPU. Memory in use is what the allocator reserves and the expected context."""

import torch
from torch._stand_ins import lacks, note

__version__ = "12.0.0"
__getattr__ = lacks("pynvml")
NVML_TEMPERATURE_GPU = 0


class NVMLError(Exception):
    """What NVML reports."""


class _Memory:
    """Bytes: total, used, free."""

    def __init__(self):
        free, self.total = torch.cuda.mem_get_info()
        self.free, self.used = free, self.total - free


class _Utilization:
    gpu = memory = 0


def nvmlInit():
    note("simulated_figures", "library", "pynvml")


def nvmlShutdown():
    """Nothing was opened."""


def nvmlDeviceGetCount():
    return torch.cuda.device_count()


def nvmlDeviceGetHandleByIndex(index):
    if not 0 <= index < torch.cuda.device_count():
        raise NVMLError("Invalid Argument")
    return index


def nvmlDeviceGetName(handle):
    return torch.cuda.get_device_name(handle)


def nvmlDeviceGetMemoryInfo(handle, version=None):
    torch.cuda.init()
    return _Memory()


def nvmlDeviceGetUtilizationRates(handle):
    return _Utilization()


def nvmlSystemGetDriverVersion():
    return "simulated"
