"""Events of a profile, their averages and their table. Memory is real; nothing is timed, so times are 0 and not in the table."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from torch._release import rules

if TYPE_CHECKING:
    from typing import Any, Self

    import torch
    from torch import Tensor


NO_TIME = "Time columns are absent: vramscope simulates memory, not time."


class DeviceType:
    CPU, CUDA = "DeviceType.CPU", "DeviceType.CUDA"


class _Timeless:
    """The time attributes of events."""

    cpu_time = cpu_time_total = self_cpu_time_total = 0
    device_time = device_time_total = self_device_time_total = 0
    cuda_time = cuda_time_total = self_cuda_time_total = 0
    cpu_time_str = cpu_time_total_str = self_cpu_time_total_str = "0.000us"
    cuda_time_str = cuda_time_total_str = self_cuda_time_total_str = "0.000us"
    flops = 0
    node_id = -1
    is_async = is_remote = is_legacy = False
    device_type = DeviceType.CPU
    overload_name = ""

    cuda_memory_usage = property(lambda self: self.device_memory_usage)
    self_cuda_memory_usage = property(lambda self: self.self_device_memory_usage)


class FunctionEvent(_Timeless):
    """One operator, graph node or named range as it ran; `self_` memory leaves out what ran inside it."""

    def __init__(self, id: Any, row: Any, stack: Any, module: torch.nn.Module) -> None:
        self.id = id
        self.name = self.key = self.trace_name = row["name"]
        self.kind = row["kind"]
        self.is_user_annotation = row["kind"] == "user"
        self.thread = 0
        self.count = 1
        self.input_shapes = row["shapes"]
        self.stack = stack
        self.module = module
        self.start, self.end = row["start"], row["end"]
        self.self_cpu_memory_usage, self.self_device_memory_usage = row["cpuBytes"], row["cudaBytes"]
        self.cpu_memory_usage, self.device_memory_usage = row["cpuBytes"], row["cudaBytes"]
        self.cpu_parent = None
        self.cpu_children = []

    def __repr__(self) -> str:
        return (
            f"<FunctionEvent id={self.id} name={self.name} device_type={self.device_type} cpu_children={[c.id for c in self.cpu_children]} "
            f"input_shapes={self.input_shapes} cpu_memory_usage={self.cpu_memory_usage} cuda_memory_usage={self.device_memory_usage}>"
        )


class FunctionEventAvg(_Timeless):
    """What events of one key did together."""

    def __init__(self) -> None:
        self.key = None
        self.count = 0
        self.cpu_memory_usage = self.device_memory_usage = 0
        self.self_cpu_memory_usage = self.self_device_memory_usage = 0
        self.input_shapes = self.stack = self.cpu_parent = self.cpu_children = None
        self.is_user_annotation = False

    def add(self, other: Tensor) -> Self:
        if self.key is None:
            self.key = self.name = other.key
            self.input_shapes, self.stack = other.input_shapes, other.stack
            self.cpu_parent, self.cpu_children = other.cpu_parent, other.cpu_children
            self.is_user_annotation = other.is_user_annotation
        for name in (
            "count",
            "cpu_memory_usage",
            "device_memory_usage",
            "self_cpu_memory_usage",
            "self_device_memory_usage",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    __iadd__ = add

    def __repr__(self) -> str:
        return f"<FunctionEventAvg key={self.key} input_shapes={self.input_shapes} cpu_memory_usage={self.cpu_memory_usage} cuda_memory_usage={self.device_memory_usage}>"


def events_of(recorded: Any) -> Any:
    """Events of what the engine recorded: inner ranges are their outer ones' children, and count in their totals."""
    events = []
    for number, row in enumerate(recorded["ranges"]):
        stack = recorded["stacks"].get(str(row["frame"]), [])
        module = recorded["modules"][row["module"]] if row["module"] >= 0 else ""
        events.append(FunctionEvent(number, row, stack, module))
        if row["parent"] >= 0:
            events[-1].cpu_parent = events[row["parent"]]
            events[-1].cpu_parent.cpu_children.append(events[-1])
    for event in reversed(events):
        if event.cpu_parent is not None:
            event.cpu_parent.cpu_memory_usage += event.cpu_memory_usage
            event.cpu_parent.device_memory_usage += event.device_memory_usage
    return events


class EventList(list):
    """Events or their averages, with a table."""

    def __init__(
        self, *args: Any, use_device: Any = None, profile_memory: bool = False, with_flops: bool = False
    ) -> None:
        super().__init__(*args)
        self._use_device = use_device
        self._profile_memory = profile_memory

    self_cpu_time_total = 0

    def key_averages(
        self,
        group_by_input_shapes: bool = False,
        group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
        **_: Any,
    ) -> EventList:
        """One FunctionEventAvg per name (and shapes, and innermost lines of the stack)."""
        found = OrderedDict()
        for event in self:
            key = (event.key, event.is_user_annotation)
            if group_by_input_shapes:
                key += (str(event.input_shapes),)
            if group_by_stack_n > 0:
                key += tuple(event.stack[:group_by_stack_n])
            found.setdefault(key, FunctionEventAvg()).add(event)
        for average in found.values():
            average.stack = average.stack[:group_by_stack_n] if group_by_stack_n > 0 else []
            if not group_by_input_shapes:
                average.input_shapes = ""
        return EventList(found.values(), use_device=self._use_device, profile_memory=self._profile_memory)

    def total_average(self) -> Any:
        total = FunctionEventAvg()
        for event in self:
            total += event
            total.key = None
        total.key = "Total"
        return total

    def table(
        self,
        sort_by: Any = None,
        row_limit: int = 100,
        max_src_column_width: int = 75,
        max_name_column_width: int = 55,
        max_shapes_column_width: int = 80,
        header: Any = None,
        top_level_events_only: bool = False,
        time_unit: Any = None,
    ) -> str:
        """The table that torch.profiler prints, without the columns of times. row_limit -1 shows all."""
        if not self:
            return ""
        events = list(self)
        if sort_by is not None:
            attribute = sort_by.replace("cuda", "device").replace("xpu", "device")
            events.sort(key=lambda e: getattr(e, attribute), reverse=True)
        columns = _columns(
            events,
            self._use_device,
            self._profile_memory,
            max_src_column_width,
            max_name_column_width,
            max_shapes_column_width,
        )
        line = "".join("-" * c.width + "  " for c in columns)
        result = []
        if header is not None:
            result += ["=" * (len(line) - 2), header]
        if top_level_events_only:
            result += ["=" * (len(line) - 2), "This report only display top-level ops statistics"]
        result += [line, "".join(c.cell(c.title) for c in columns), line]
        shown = [e for e in events if not (top_level_events_only and e.cpu_parent is not None)]
        for event in shown if row_limit == -1 else shown[:row_limit]:
            result.append("".join(c.cell(c.text(event)) for c in columns))
            if columns[-1].title == "Source Location":
                blank = "".join(c.cell("") for c in columns[:-1])
                result += [blank + columns[-1].cell(_cut_left(entry, columns[-1].width)) for entry in event.stack[1:]]
                result.append(blank + columns[-1].cell(""))
        return "\n".join([*result, line, NO_TIME]) + "\n"

    def __str__(self) -> str:
        return self.table()

    def export_chrome_trace(self, path: Any) -> None:
        import json

        with open(path, "w") as f:
            json.dump(
                [
                    {
                        "name": e.name,
                        "ph": "X",
                        "ts": e.start,
                        "dur": e.end - e.start,
                        "tid": 0,
                        "pid": "CPU functions",
                        "args": {},
                    }
                    for e in self
                ],
                f,
            )

    def export_stacks(self, path: str, metric: str) -> None:
        """Folded stacks of a memory metric; those of times do not exist here."""
        if "memory" not in metric:
            raise ValueError(
                f"metric should be a memory metric such as self_cuda_memory_usage, not {metric}: {NO_TIME}"
            )
        totals = OrderedDict()
        for event in self:
            amount = getattr(event, metric.replace("cuda", "device"))
            if amount > 0 and event.stack:
                key = ";".join(entry.replace(";", ",").replace(" ", "_") for entry in reversed(event.stack))
                totals[key] = totals.get(key, 0) + amount
        with open(path, "w") as f:
            f.writelines(f"{stack} {amount}\n" for stack, amount in totals.items())


class _Column:
    def __init__(self, title: Any, width: Any, text: str, left: bool = False) -> None:
        self.title, self.width, self.text, self.left = title, width, text, left

    def cell(self, text: str) -> Any:
        return (f"{text:<{self.width}}" if self.left else f"{text:>{self.width}}") + "  "


def _cut_left(path, width):
    if len(path) > width:
        path = path[len(path) - width :]
        if len(path) > 3:
            path = "..." + path[3:]
    return path


def _columns(events, use_device, profile_memory, source_width, name_width, shapes_width):
    def name(event):
        key = event.key
        return key[: name_width - 3] + "..." if name_width is not None and len(key) >= name_width - 3 else key

    def limited(width, limit):
        return width if limit is None else min(width, limit)

    columns = [_Column("Name", limited(max(len(e.key) for e in events) + 4, name_width), name)]

    def memory(title, attribute):
        columns.append(_Column(title, 12, lambda e: format_memory(getattr(e, attribute))))

    if profile_memory:
        memory("CPU Mem", "cpu_memory_usage")
        memory("Self CPU Mem", "self_cpu_memory_usage")
        # PyTorch 2 hides these columns unless a device was asked for; here they are what the table is for
        if any(e.self_device_memory_usage > 0 for e in events):
            name = (use_device or "cuda").upper()
            memory(f"{name} Mem", "device_memory_usage")
            memory(f"Self {name} Mem", "self_device_memory_usage")
    columns.append(_Column("# of Calls", 12, lambda e: e.count))
    if any(e.input_shapes for e in events):
        width = limited(max(len(str(e.input_shapes)) for e in events) + 4, shapes_width)
        columns.append(_Column("Input Shapes", width, lambda e: str(e.input_shapes)[:width]))
    if any(e.stack for e in events):
        source = limited(max(len(entry) for e in events for entry in e.stack) + 4, source_width)
        columns.append(
            _Column("Source Location", source, lambda e: _cut_left(e.stack[0], source) if e.stack else "", left=True)
        )
    return columns


def format_memory(nbytes: int) -> str:
    """1.50 MB as in 2.14, or 1.50 Mb in older releases."""
    new = rules.profiler_units_in_capitals
    for unit, name in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if abs(nbytes) >= unit:
            return f"{nbytes / unit:.2f} {name if new else name.capitalize()}"
    return f"{nbytes} {'B' if new else 'b'}"


_format_memory = format_memory
