"""torch.cuda: one simulated GPU, its counters and streams."""

import json

from torch._release import rules
from .. import _C
from .._types import device as _device_type
from . import memory
from .memory import (
    caching_allocator_alloc,
    caching_allocator_delete,
    empty_cache,
    max_memory_allocated,
    max_memory_cached,
    max_memory_reserved,
    mem_get_info,
    memory_allocated,
    memory_cached,
    memory_reserved,
    memory_snapshot,
    memory_stats,
    memory_stats_as_nested_dict,
    memory_summary,
    reset_accumulated_memory_stats,
    reset_max_memory_allocated,
    reset_max_memory_cached,
    reset_peak_memory_stats,
    set_per_process_memory_fraction,
)
from .streams import Event, ExternalStream, Stream, StreamContext, current_stream, default_stream, set_stream, stream
from . import nvtx, random, profiler
from .random import (
    get_rng_state,
    get_rng_state_all,
    initial_seed,
    manual_seed,
    manual_seed_all,
    seed,
    seed_all,
    set_rng_state,
    set_rng_state_all,
)


def __getattr__(name):
    if name == "OutOfMemoryError" and rules.oom_exception != "RuntimeError":
        from .._errors import OutOfMemoryError

        return OutOfMemoryError
    if name == "amp":
        import importlib

        return importlib.import_module("torch.cuda.amp")
    raise AttributeError(f"module 'torch.cuda' has no attribute '{name}'")


def make_graphed_callables(callables, sample_args, num_warmup_iters=3, allow_unused_input=False, pool=None):
    """The callables as they are; what their graphs would keep is not counted."""
    _C._js.assume("cuda_graph_runs_eager", _C.here(), "", "")
    return callables


class MemPool:
    """A pool of its own for some allocations, which the allocator here does not keep apart."""

    def __init__(self, *_, **__):
        raise NotImplementedError("vramscope does not simulate torch.cuda.MemPool: allocations in a pool of their own")


def is_available():
    return True


def is_initialized():
    return True


def init():
    _C._js.touchDevice()


_lazy_init = init


from ._devices import current_device, device, device_count, device_of, ordinal as _ordinal, set_device


def synchronize(device=None):
    _C._js.touchDevice()


def ipc_collect():
    pass


class _Properties:
    """Properties of the simulated card."""

    def __init__(self, fields):
        self.__dict__.update(fields)
        self.is_integrated = 0
        self.is_multi_gpu_board = 0
        self.warp_size = 32
        self.regs_per_multiprocessor = 65536
        self.L2_cache_size = 0

    def __repr__(self):
        return (
            f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
            f"total_memory={self.total_memory // 1048576}MB, multi_processor_count={self.multi_processor_count})"
        )


def get_device_properties(device=None):
    _ordinal(device)
    return _Properties(json.loads(_C._js.deviceProperties()))


def get_device_name(device=None):
    _ordinal(device)
    return _C._js.deviceName()


def get_device_capability(device=None):
    p = get_device_properties(device)
    return p.major, p.minor


def get_arch_list():
    return ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"]


def is_bf16_supported(including_emulation=True):
    return get_device_capability()[0] >= 8 or including_emulation


def can_device_access_peer(device, peer):
    return False


def utilization(device=None):
    return 0


def is_current_stream_capturing():
    return False


class graph:
    """CUDA graphs run as eager code."""

    def __init__(self, *_, **__):
        _C._js.assume("cuda_graph_runs_eager", _C.here(), "", "")

    def __enter__(self):
        pass

    def __exit__(self, *_):
        pass


class CUDAGraph:
    def replay(self):
        pass

    def reset(self):
        pass


def _sleep(_):
    pass


def _lazy_call(callable, **_):
    """The device is there from the start: what waits for it runs at once."""
    callable()


def check_error(res):
    if res != 0:
        raise RuntimeError(f"CUDA error {res}")


def cudart():
    return _Runtime()


class _Runtime:
    """The driver's functions that programs call for profiling."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_: 0


def get_stream_from_external(data_ptr, device=None):
    return ExternalStream(data_ptr, device)


def get_sync_debug_mode():
    return 0


def set_sync_debug_mode(debug_mode):
    """Waiting for the device is never warned about."""


def get_allocator_backend():
    return "native"


def get_gencode_flags():
    return ""


def is_tf32_supported():
    return get_device_capability()[0] >= 8


has_half = True
has_magma = False
