"""torch.autograd.profiler: what ran inside what, with its memory; nothing is timed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .. import _C
from .profiler_util import EventList, FunctionEvent, FunctionEventAvg, events_of  # noqa: F401

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self


class record_function:
    """A named range: a mark in the trace, and a row of profiles."""

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name = name

    def __enter__(self) -> Self:
        here = _C.here()
        _C._js.mark(self.name, here)
        _C._js.profileBegin(self.name, here)
        return self

    def __exit__(self, *_: Any) -> None:
        _C._js.profileEnd()

    def __call__(self, f: Callable) -> Callable:
        import functools

        @functools.wraps(f)
        def g(*a, **k):
            with self:
                return f(*a, **k)

        return g


_running = None


class profile:
    """Records operators, graph nodes and named ranges from enter to exit."""

    def __init__(
        self,
        enabled: bool = True,
        *,
        use_cuda: bool = False,
        use_device: Any = None,
        record_shapes: bool = False,
        with_flops: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_modules: bool = False,
        use_kineto: bool = False,
        use_cpu: bool = True,
        experimental_config: Any = None,
        **_: Any,
    ) -> None:
        self.enabled = enabled
        self.use_device = "cuda" if use_cuda else use_device
        self.profile_memory = profile_memory
        self.record_shapes = record_shapes
        self.with_stack = with_stack
        self.entered = False
        self.function_events = None
        self._recorded = None

    def __enter__(self) -> Self:
        global _running
        if not self.enabled:
            return self
        if self.entered:
            raise RuntimeError("Profiler context manager is not reentrant")
        if _running is not None:
            raise RuntimeError("Profiler is already enabled on this thread")
        self.entered = True
        _running = self
        self._first = int(_C._js.eventCount())
        _C._js.profileStart()
        return self

    def __exit__(self, *_: Any) -> bool:
        global _running
        if not self.enabled or _running is not self:
            return False
        _running = None
        self._last = int(_C._js.eventCount())
        self._recorded = json.loads(_C._js.profileStop())
        events = events_of(self._recorded)
        for event in events:
            if not self.record_shapes:
                event.input_shapes = []
            if not self.with_stack:
                event.stack = []
        self.function_events = EventList(events, use_device=self.use_device, profile_memory=self.profile_memory)
        return False

    def _finished(self):
        if self.function_events is None:
            raise RuntimeError("Profiler didn't finish running")
        return self.function_events

    def events(self) -> Any:
        return self._finished()

    def key_averages(
        self,
        group_by_input_shape: bool = False,
        group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
        **_: Any,
    ) -> Any:
        return self._finished().key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def total_average(self) -> Any:
        return self._finished().total_average()

    def table(self, *args: Any, **kwargs: Any) -> str:
        return self._finished().table(*args, **kwargs)

    def __str__(self) -> str:
        return "<unfinished torch.autograd.profile>" if self.function_events is None else str(self.function_events)

    __repr__ = __str__
    self_cpu_time_total = 0

    def export_chrome_trace(self, path: Any) -> None:
        """Chrome's trace format; one microsecond is one step of the record, not time. `.gz` is compressed."""
        text = json.dumps(_chrome_trace(self._finished(), self._recorded, self.profile_memory))
        if path.endswith(".gz"):
            import gzip

            with gzip.open(path, "wt") as f:
                f.write(text)
        else:
            with open(path, "w") as f:
                f.write(text)

    def export_stacks(self, path: str, metric: str = "self_cuda_memory_usage") -> None:
        self._finished().export_stacks(path, metric)


_CATEGORY = {"op": "cpu_op", "node": "cpu_op", "user": "user_annotation"}


def _chrome_trace(events, recorded, with_memory):
    rows = [
        {
            "ph": "M",
            "name": "process_name",
            "ts": 0,
            "pid": 1,
            "tid": 0,
            "args": {"name": "python (one microsecond is one step, not time)"},
        },
    ]
    for event in events:
        if event.kind == "memory":
            continue
        args = {"External id": event.id}
        if event.input_shapes:
            args["Input Dims"] = event.input_shapes
        if event.module:
            args["Module Hierarchy"] = event.module
        if event.stack:
            args["Call stack"] = ";".join(reversed(event.stack))
        rows.append(
            {
                "ph": "X",
                "cat": _CATEGORY[event.kind],
                "name": event.name,
                "pid": 1,
                "tid": 1,
                "ts": event.start,
                "dur": event.end - event.start,
                "args": args,
            }
        )
    for tick, device, size, total, _ in recorded["memory"] if with_memory else ():
        kind, number = (0, -1) if device == "cpu" else (1, 0)
        args = {"Total Allocated": total, "Bytes": size, "Device Id": number, "Device Type": kind}
        rows.append(
            {
                "ph": "i",
                "cat": "cpu_instant_event",
                "s": "t",
                "name": "[memory]",
                "pid": 1,
                "tid": 1,
                "ts": tick,
                "args": args,
            }
        )
    return {"schemaVersion": 1, "displayTimeUnit": "ms", "profile_memory": int(with_memory), "traceEvents": rows}


class emit_nvtx(profile):
    """Nothing listens to NVTX ranges here."""

    def __init__(self, enabled: bool = True, record_shapes: bool = False) -> None:
        super().__init__(enabled=False)


emit_itt = emit_nvtx


def kineto_available() -> bool:
    return True
