"""torch.autograd.profiler: contexts that mark the trace; nothing is timed."""

from .. import _C


class record_function:
    """A named range."""

    def __init__(self, name, args=None):
        self.name = name

    def __enter__(self):
        _C._js.mark(self.name, _C.here())
        return self

    def __exit__(self, *_):
        pass

    def __call__(self, f):
        import functools

        @functools.wraps(f)
        def g(*a, **k):
            with self:
                return f(*a, **k)

        return g


class profile:
    """Collects nothing itself: the trace has every event."""

    def __init__(self, enabled=True, *, use_cuda=False, record_shapes=False, profile_memory=False, with_stack=False, **_):
        self.enabled = enabled
        self.profile_memory = profile_memory
        self.record_shapes = record_shapes

    def __enter__(self):
        self._first = int(_C._js.eventCount())
        return self

    def __exit__(self, *_):
        self._last = int(_C._js.eventCount())
        return False

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0):
        import json

        return EventList([FunctionEvent(*row) for row in json.loads(_C._js.profileOps(self._first, self._last))])

    def total_average(self):
        return self.key_averages()

    def export_chrome_trace(self, path):
        with open(path, "w") as f:
            f.write('{"traceEvents": []}')

    def table(self, **kw):
        return self.key_averages().table(**kw)

    def events(self):
        return self.key_averages()


class FunctionEvent:
    """One operator: calls and the bytes that it kept or gave back."""

    def __init__(self, key, count, self_bytes):
        self.key = self.name = key
        self.count = count
        self.self_cuda_memory_usage = self.self_device_memory_usage = self_bytes
        self.cuda_memory_usage = self.device_memory_usage = self_bytes
        self.cpu_time_total = self.cuda_time_total = self.self_cpu_time_total = 0


class EventList(list):
    def table(self, sort_by=None, row_limit=100, max_name_column_width=55, **_):
        rows = list(self)
        if sort_by and "memory" in sort_by:
            rows.sort(key=lambda e: -e.self_cuda_memory_usage)
        elif sort_by == "count":
            rows.sort(key=lambda e: -e.count)
        if row_limit is not None and row_limit >= 0:
            rows = rows[:row_limit]
        width = max([4] + [min(len(e.key), max_name_column_width) for e in rows])
        line = f"{'-' * width}  {'-' * 14}  {'-' * 12}  "
        out = [line, f"{'Name':>{width}}  {'Self CUDA Mem':>14}  {'# of Calls':>12}  ", line]
        for e in rows:
            out.append(f"{e.key[:width]:>{width}}  {_bytes(e.self_cuda_memory_usage):>14}  {e.count:>12}  ")
        out.append(line)
        out.append("Time columns are absent: vramscope simulates memory, not time.")
        return "\n".join(out)

    __str__ = table


def _bytes(n):
    """PyTorch's three-unit format: Gb, Mb, Kb, b."""
    for unit, name in ((1 << 30, "Gb"), (1 << 20, "Mb"), (1 << 10, "Kb")):
        if abs(n) >= unit:
            return f"{n / unit:.2f} {name}"
    return f"{n} b"


class emit_nvtx(profile):
    pass
