"""torch.autograd.profiler: what ran inside what, with its memory; nothing is timed."""

import json

from .. import _C
from .profiler_util import EventList, FunctionEvent, FunctionEventAvg, events_of  # noqa: F401


class record_function:
    """A named range: a mark in the trace, and a row of profiles."""

    def __init__(self, name, args=None):
        self.name = name

    def __enter__(self):
        here = _C.here()
        _C._js.mark(self.name, here)
        _C._js.profileBegin(self.name, here)
        return self

    def __exit__(self, *_):
        _C._js.profileEnd()

    def __call__(self, f):
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
        enabled=True,
        *,
        use_cuda=False,
        use_device=None,
        record_shapes=False,
        with_flops=False,
        profile_memory=False,
        with_stack=False,
        with_modules=False,
        use_kineto=False,
        use_cpu=True,
        experimental_config=None,
        **_,
    ):
        self.enabled = enabled
        self.use_device = "cuda" if use_cuda else use_device
        self.profile_memory = profile_memory
        self.record_shapes = record_shapes
        self.with_stack = with_stack
        self.entered = False
        self.function_events = None
        self._recorded = None

    def __enter__(self):
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

    def __exit__(self, *_):
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

    def events(self):
        return self._finished()

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False, **_):
        return self._finished().key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def total_average(self):
        return self._finished().total_average()

    def table(self, *args, **kwargs):
        return self._finished().table(*args, **kwargs)

    def __str__(self):
        return "<unfinished torch.autograd.profile>" if self.function_events is None else str(self.function_events)

    __repr__ = __str__
    self_cpu_time_total = 0

    def export_chrome_trace(self, path):
        """Chrome's trace format; one microsecond is one step of the record, not time. `.gz` is compressed."""
        text = json.dumps(_chrome_trace(self._finished(), self._recorded, self.profile_memory))
        if path.endswith(".gz"):
            import gzip

            with gzip.open(path, "wt") as f:
                f.write(text)
        else:
            with open(path, "w") as f:
                f.write(text)

    def export_stacks(self, path, metric="self_cuda_memory_usage"):
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

    def __init__(self, enabled=True, record_shapes=False):
        super().__init__(enabled=False)


emit_itt = emit_nvtx


def kineto_available():
    return True
