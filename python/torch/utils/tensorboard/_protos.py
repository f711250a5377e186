"""The protocol buffers of event files, encoded by hand: a message is a list of fields, each with the number of its definition."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import torch


def varint(value: Any) -> Any:
    """Base 128, lowest digits first; negative numbers as 64 bits."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field: Any, value: Any) -> Any:
    return varint(field << 3) + varint(int(value))


def double(field: Any, value: Any) -> Any:
    return varint(field << 3 | 1) + struct.pack("<d", value)


def single(field: Any, value: Any) -> Any:
    return varint(field << 3 | 5) + struct.pack("<f", value)


def data(field: Any, value: Any) -> Any:
    """A message, bytes or text."""
    if isinstance(value, str):
        value = value.encode("utf-8", "replace")
    return varint(field << 3 | 2) + varint(len(value)) + value


def doubles(field: Any, values: Any) -> Any:
    return data(field, b"".join(struct.pack("<d", v) for v in values))


def shape(sizes: Any) -> str:
    """TensorShapeProto."""
    return b"".join(data(2, number(1, size)) for size in sizes)


def event(wall_time: Any, step: int | None = None, **parts: Any) -> Any:
    """Event, with one of file_version, graph_def, summary, tagged_run_metadata."""
    fields = {"file_version": 3, "graph_def": 4, "summary": 5, "tagged_run_metadata": 8}
    out = double(1, wall_time)
    if step is not None:
        out += number(2, step)
    return out + b"".join(data(fields[name], value) for name, value in parts.items())


def metadata(plugin: Any, content: bytes = b"", display_name: str = "", description: str = "") -> Any:
    """SummaryMetadata."""
    out = data(1, data(1, plugin) + (data(2, content) if content else b""))
    if display_name:
        out += data(2, display_name)
    return out + (data(3, description) if description else b"")


_DT_FLOAT, _DT_STRING = 1, 7


def text_tensor(text: str) -> Any:
    """TensorProto of one string."""
    return number(1, _DT_STRING) + data(2, shape([1])) + data(8, text)


def float_tensor(value: Any) -> Any:
    """TensorProto of a scalar."""
    return number(1, _DT_FLOAT) + data(2, b"") + data(5, struct.pack("<f", value))


def summary(tag: str, body: Any) -> Any:
    """Summary of one value; `body` holds the value's other fields."""
    return data(1, data(1, tag) + body)


def histogram(low: Any, high: Any, count: int, total: Any, squares: Any, limits: Any, buckets: Any) -> Any:
    """HistogramProto; bucket i ends at limit i."""
    return (
        double(1, low)
        + double(2, high)
        + double(3, count)
        + double(4, total)
        + double(5, squares)
        + doubles(6, limits)
        + doubles(7, buckets)
    )


def attribute(key: Any, kind: Any, value: Any) -> Any:
    """An entry of NodeDef.attr: `kind` is text, number or shapes."""
    if kind == "text":
        body = data(2, value)
    elif kind == "number":
        body = number(3, value)
    else:
        body = data(1, b"".join(data(7, shape(sizes)) for sizes in value))
    return data(5, data(1, key) + data(2, body))


def node(name: str, op: Any, inputs: tuple = (), attributes: tuple = (), device: torch.device | str | int = "") -> Any:
    """NodeDef."""
    out = data(1, name) + data(2, op) + b"".join(data(3, i) for i in inputs)
    if device:
        out += data(4, device)
    return out + b"".join(attribute(*a) for a in attributes)


def graph(nodes: Any) -> Any:
    """GraphDef, as producers since 22 write it."""
    return b"".join(data(1, n) for n in nodes) + data(4, number(1, 22))


def node_stats(name: str, start: Any, end: Any, allocator: Any, outputs: Any) -> Any:
    """NodeExecStats: `outputs` are shapes with bytes; start and end are steps, not time."""
    out = data(1, name) + number(2, start) + number(5, max(1, end - start))
    out += data(6, data(1, allocator) + number(2, sum(size for _, size in outputs)))
    for slot, (sizes, size) in enumerate(outputs):
        described = (
            number(1, _DT_FLOAT)
            + data(2, shape(sizes))
            + data(4, number(1, size) + number(2, size) + data(3, allocator))
        )
        out += data(7, number(1, slot) + data(3, described))
    return out


def run_metadata(device: torch.device | str | int, stats: Any) -> Any:
    """RunMetadata with the statistics of one device."""
    return data(1, data(1, data(1, device) + b"".join(data(2, s) for s in stats)))
