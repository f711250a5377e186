"""Counters and statistics of the simulated caching allocator."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .. import _C
from ._devices import engine_name, ordinal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import torch


def memory_allocated(device: torch.device | str | int | None = None) -> int:
    return int(_C._js.memoryAllocated(engine_name(device)))


def max_memory_allocated(device: torch.device | str | int | None = None) -> int:
    return int(_C._js.maxMemoryAllocated(engine_name(device)))


def memory_reserved(device: torch.device | str | int | None = None) -> int:
    return int(_C._js.memoryReserved(engine_name(device)))


def max_memory_reserved(device: torch.device | str | int | None = None) -> int:
    return int(_C._js.maxMemoryReserved(engine_name(device)))


memory_cached, max_memory_cached = memory_reserved, max_memory_reserved


def reset_peak_memory_stats(device: torch.device | str | int | None = None) -> None:
    _C._js.resetPeak(engine_name(device))


reset_max_memory_allocated = reset_max_memory_cached = reset_peak_memory_stats


def reset_accumulated_memory_stats(device: torch.device | str | int | None = None) -> None:
    _C._js.resetAccumulated(engine_name(device))


def empty_cache() -> None:
    _C._js.emptyCache(_C.here())


def memory_stats(device: torch.device | str | int | None = None) -> dict[str, Any]:
    from collections import OrderedDict

    return OrderedDict((k, int(v)) for k, v in sorted(json.loads(_C._js.memoryStats(engine_name(device))).items()))


def memory_stats_as_nested_dict(device: torch.device | str | int | None = None) -> dict[str, Any]:
    result = {}
    for key, value in memory_stats(device).items():
        place = result
        *path, last = key.split(".")
        for p in path:
            place = place.setdefault(p, {})
        place[last] = value
    return result


def memory_summary(device: torch.device | str | int | None = None, abbreviated: bool = False) -> str:
    return _C._js.memorySummary(engine_name(device), ordinal(device), abbreviated)


def memory_snapshot(mempool_id: tuple[int, int] | None = None, include_traces: bool = True) -> list[dict[str, Any]]:
    """The segments of the allocator and the blocks in each, as dictionaries with PyTorch's keys."""
    from ._memory_history import take

    segments = take()["segments"]
    return segments if mempool_id is None else [s for s in segments if s["segment_pool_id"] == tuple(mempool_id)]


def mem_get_info(device: torch.device | str | int | None = None) -> tuple[int, int]:
    free, total = _C._js.memGetInfo(engine_name(device)).split(",")
    return int(free), int(total)


def set_per_process_memory_fraction(fraction: float, device: torch.device | str | int | None = None) -> None:
    if not isinstance(fraction, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    if fraction < 0 or fraction > 1:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")
    _C._js.setMemoryFraction(engine_name(device), fraction)


def list_gpu_processes(device: torch.device | str | int | None = None) -> str:
    return f"GPU:{ordinal(device)}\nprocess          1 uses {memory_reserved(device) / 1048576:12.3f} MB GPU memory"


def caching_allocator_alloc(
    size: int | Sequence[int], device: torch.device | str | int | None = None, stream: torch.cuda.Stream | None = None
) -> Any:
    import torch

    block = torch.empty(size, dtype=torch.uint8, device="cuda")
    _raw[block.data_ptr()] = block
    return block.data_ptr()


def caching_allocator_delete(pointer: Any) -> None:
    del _raw[pointer]


_raw = {}


def get_allocator_backend() -> str:
    return "native"


from ._memory_history import (  # noqa: E402
    _annotate_tensor,
    _dump_snapshot,
    _get_memory_metadata,
    _memory_metadata_supported,
    _record_memory_history,
    _set_memory_metadata,
    _snapshot,
)
