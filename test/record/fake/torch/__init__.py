"""Only what the recorder itself asks of torch, to test it without a GPU: a card, counters, a history of two entries."""

import types

__version__ = "2.8.0+fake"
version = types.SimpleNamespace(cuda="12.8")
backends = types.SimpleNamespace(cudnn=types.SimpleNamespace(version=lambda: 91000))
_entries = [{"action": "segment_alloc", "size": 2097152}, {"action": "alloc", "size": 512}, {"action": "free_requested", "size": 512}, {"action": "free_completed", "size": 512}]


class _Properties:
    name, major, minor, multi_processor_count, total_memory = "NVIDIA Fake", 8, 0, 108, 80 * 2**30
    max_threads_per_multi_processor = 2048


cuda = types.SimpleNamespace(
    is_available=lambda: True,
    is_initialized=lambda: True,
    synchronize=lambda: None,
    get_device_properties=lambda i: _Properties(),
    mem_get_info=lambda: (70 * 2**30, 80 * 2**30),
    memory_stats=lambda: {"num_alloc_retries": 0, "num_ooms": 0},
    memory_allocated=lambda: 0,
    max_memory_allocated=lambda: 512,
    memory_reserved=lambda: 2097152,
    max_memory_reserved=lambda: 2097152,
    memory=types.SimpleNamespace(_record_memory_history=lambda **settings: None, _snapshot=lambda: {"device_traces": [_entries]}),
)
float32, bfloat16, float16 = "float32", "bfloat16", "float16"
