"""torch.cuda: one simulated GPU, its counters and streams."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

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
from . import graphs, nvtx, random, profiler
from .graphs import CUDAGraph, graph, graph_pool_handle, is_current_stream_capturing, make_graphed_callables
from .random import (
    default_generators,
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

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import torch
    from torch import Tensor


def __getattr__(name: str) -> Any:
    if name == "OutOfMemoryError" and rules.oom_exception != "RuntimeError":
        from .._errors import OutOfMemoryError

        return OutOfMemoryError
    if name == "_initialized":
        return is_initialized()
    if name == "amp":
        import importlib

        return importlib.import_module("torch.cuda.amp")
    raise AttributeError(f"module 'torch.cuda' has no attribute '{name}'")


class MemPool:
    """A pool of its own for some allocations, which the allocator here does not keep apart."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise NotImplementedError("vramscope does not simulate torch.cuda.MemPool: allocations in a pool of their own")


def is_available() -> bool:
    return True


def is_initialized() -> bool:
    return True


def init() -> None:
    _C._js.touchDevice()


_lazy_init = init


from ._devices import current_device, device, device_count, device_of, ordinal as _ordinal, set_device


def synchronize(device: torch.device | str | int | None = None) -> None:
    _C._js.touchDevice()


def ipc_collect() -> None:
    pass


class _Properties:
    """Properties of the simulated card."""

    def __init__(self, fields: Any) -> None:
        self.__dict__.update(fields)
        self.is_integrated = 0
        self.is_multi_gpu_board = 0
        self.warp_size = 32
        self.regs_per_multiprocessor = 65536
        self.L2_cache_size = 0

    def __repr__(self) -> str:
        return (
            f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
            f"total_memory={self.total_memory // 1048576}MB, multi_processor_count={self.multi_processor_count})"
        )


def get_device_properties(device: torch.device | str | int | None = None) -> _Properties:
    _ordinal(device)
    return _Properties(json.loads(_C._js.deviceProperties()))


def get_device_name(device: torch.device | str | int | None = None) -> str:
    _ordinal(device)
    return _C._js.deviceName()


def get_device_capability(device: torch.device | str | int | None = None) -> tuple[int, int]:
    p = get_device_properties(device)
    return p.major, p.minor


def get_arch_list() -> list[str]:
    return ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"]


def is_bf16_supported(including_emulation: bool = True) -> Any:
    return get_device_capability()[0] >= 8 or including_emulation


def can_device_access_peer(device: torch.device | str | int | None, peer: int) -> bool:
    return False


def utilization(device: torch.device | str | int | None = None) -> int:
    return 0


def _sleep(_):
    pass


def _lazy_call(callable, **_):
    """The device is there from the start: what waits for it runs at once."""
    callable()


def check_error(res: int) -> None:
    if res != 0:
        raise RuntimeError(f"CUDA error {res}")


def cudart() -> _Runtime:
    return _Runtime()


class _Runtime:
    """The driver's functions that programs call for profiling."""

    def __getattr__(self, name: str) -> Callable:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_: 0


def get_stream_from_external(data_ptr: int, device: torch.device | str | int | None = None) -> Stream:
    return ExternalStream(data_ptr, device)


def get_sync_debug_mode() -> int:
    return 0


def set_sync_debug_mode(debug_mode: int | str) -> None:
    """Waiting for the device is never warned about."""


def get_allocator_backend() -> str:
    return "native"


def get_gencode_flags() -> str:
    return ""


def is_tf32_supported() -> bool:
    return get_device_capability()[0] >= 8


has_half = True
has_magma = False
