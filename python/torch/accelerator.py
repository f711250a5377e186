"""torch.accelerator: the same GPU as torch.cuda under a name without a vendor."""

from importlib import import_module as _module
from ._types import device as _device

cuda = _module("torch.cuda")


def is_available():
    return True


device_count = cuda.device_count


def current_accelerator(check_available=False):
    return _device("cuda")


def current_device_index():
    return cuda.current_device()


current_device_idx = current_device_index


def set_device_index(device):
    cuda.set_device(device)


set_device_idx = set_device_index


def synchronize(device=None):
    cuda.synchronize()


def current_stream(device=None):
    return cuda.current_stream(device)


def set_stream(stream):
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

    def __init__(self, device, /):
        self.idx, self.prev_idx = device, -1

    def __enter__(self):
        if self.idx is not None:
            self.prev_idx = cuda.current_device()
            cuda.set_device(self.idx)

    def __exit__(self, *_):
        if self.idx is not None:
            cuda.set_device(self.prev_idx)
