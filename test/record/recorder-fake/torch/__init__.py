"""Only what `vramscope record` asks of torch, to test it without a GPU: `take(bytes)` allocates, `give(bytes)` frees.

FAKE_TORCH is the release whose `_record_memory_history` it has (2.14 by default), FAKE_GPU=no leaves it without a device.
"""

import os
import types

RELEASE = tuple(int(part) for part in os.environ.get("FAKE_TORCH", "2.14").split("."))
__version__ = ".".join(map(str, RELEASE)) + ".0+fake"
_waiting, _entries, _observers = [], [], []
_now = {"allocated": 0, "peak": 0, "count": 0, "started": False, "history": None}


def _new_history(enabled="all", *args, **kwargs):
    assert enabled == "all" and kwargs.get("max_entries", 0) > 0 and not args, kwargs
    _now["history"] = "new"


def _history_of_2_0(enabled, record_context=True, trace_alloc_max_entries=1, trace_alloc_record_context=False, device=None, _enable_expensive_cpp=False):
    assert enabled is True and trace_alloc_max_entries > 1
    _now["history"] = "2.0"


def _history_of_1_13(enabled, record_context=True, _enable_expensive_cpp=False):
    assert enabled is True
    _now["history"] = "1.13"


def take(count):
    if not _now["started"]:
        _now["started"] = True
        for call in _waiting:
            call()
    if count > 1 << 40:
        for observer in _observers:
            observer(0, count, 1 << 40, 1 << 30)
        raise OutOfMemoryError("CUDA out of memory.")
    _now["allocated"] += count
    _now["peak"] = max(_now["peak"], _now["allocated"])
    _now["count"] += 1
    _entries.append({"action": "alloc", "addr": 0x7F0000000000 + count, "size": count, "stream": 0})


def give(count):
    _now["allocated"] -= count


class OutOfMemoryError(RuntimeError):
    pass


def _stats(device=None):
    return {
        "allocated_bytes": {"all": {"current": _now["allocated"], "peak": _now["peak"]}},
        "reserved_bytes": {"all": {"current": 1 << 21, "peak": 1 << 21}},
        "allocation": {"all": {"allocated": _now["count"]}},
    }


_history = _new_history if RELEASE >= (2, 1) else _history_of_2_0 if RELEASE >= (2, 0) else _history_of_1_13
_C = types.SimpleNamespace(_cuda_attach_out_of_memory_observer=_observers.append)
cuda = types.SimpleNamespace(
    is_available=lambda: os.environ.get("FAKE_GPU") != "no",
    is_initialized=lambda: _now["started"],
    current_device=lambda: 0,
    device_count=lambda: 1,
    synchronize=lambda: None,
    get_device_properties=lambda device: types.SimpleNamespace(name="NVIDIA A100-SXM4-80GB", total_memory=80 << 30),
    memory_stats_as_nested_dict=_stats,
    memory_allocated=lambda device=0: _now["allocated"],
    max_memory_allocated=lambda device=0: _now["peak"],
    memory_reserved=lambda device=0: 1 << 21,
    max_memory_reserved=lambda device=0: 1 << 21,
    _lazy_call=_waiting.append,
    memory=types.SimpleNamespace(
        _record_memory_history=_history,
        _snapshot=lambda: {"segments": [], "device_traces": [_entries], "history": _now["history"]},
    ),
)
