"""torch.xpu, torch.mps, torch.mtia and torch.cpu: devices that the simulated machine does not have, and its host."""

from __future__ import annotations

import sys
import types
from contextlib import contextmanager


def _absent_device(name):
    """A module that says that there is no such device; PyTorch's other names of it refuse."""
    made = types.ModuleType(f"torch.{name}", f"torch.{name}: the simulated machine has none.")
    made.__path__ = []
    made.is_available = made.is_initialized = made._is_in_bad_fork = lambda: False
    made.is_bf16_supported = lambda *_, **__: False
    made.device_count = lambda: 0
    made.empty_cache = made.manual_seed_all = made.manual_seed = made.synchronize = lambda *_, **__: None
    return made


def _host():
    made = types.ModuleType("torch.cpu", "torch.cpu: the host, which computes when it is called.")
    made.__path__ = []
    made.is_available = made.is_initialized = lambda: True
    made.device_count, made.current_device = (lambda: 1), (lambda: "cpu")
    made.synchronize = made.set_device = lambda *_: None
    made.current_stream = lambda *_: made.Stream()

    class Stream:
        """A stream of the host: everything is done when the call returns."""

        def __init__(self, priority=-1):
            pass

        def wait_stream(self, stream):
            pass

        wait_event = record_event = wait_stream

        def synchronize(self):
            pass

    Stream.__module__ = "torch.cpu"
    made.Stream = Stream

    @contextmanager
    def stream(_):
        yield

    made.stream = made.StreamContext = stream
    return made


def install(namespace: str) -> None:
    for name in ("xpu", "mps", "mtia"):
        namespace[name] = sys.modules[f"torch.{name}"] = _absent_device(name)
    namespace["cpu"] = sys.modules["torch.cpu"] = _host()
    amp = types.ModuleType("torch.cpu.amp", "torch.cpu.amp: autocast on the host.")
    amp.autocast = lambda enabled=True, dtype=None, cache_enabled=True: namespace["autocast"](
        "cpu", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled
    )
    namespace["cpu"].amp = sys.modules["torch.cpu.amp"] = amp
