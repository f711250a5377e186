"""The file format: eight bytes of length, a JSON header, data. Values are not kept, so that data is zeros."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


# Names of element types in headers, by torch's names, and the bytes of one.
NAMES = {
    "bool": ("BOOL", 1), "uint8": ("U8", 1), "int8": ("I8", 1), "float8_e5m2": ("F8_E5M2", 1), "float8_e4m3fn": ("F8_E4M3", 1),
    "float8_e8m0fnu": ("F8_E8M0", 1), "int16": ("I16", 2), "uint16": ("U16", 2), "float16": ("F16", 2), "bfloat16": ("BF16", 2),
    "int32": ("I32", 4), "uint32": ("U32", 4), "float32": ("F32", 4), "complex64": ("C64", 8), "float64": ("F64", 8),
    "int64": ("I64", 8), "uint64": ("U64", 8),
}  # fmt: skip
TORCH_NAME = {short: name for name, (short, _) in NAMES.items()}
ITEM_BYTES = {short: size for short, size in NAMES.values()}
MAX_HEADER_BYTES = 100_000_000


class SafetensorError(Exception):
    """A file that is not of the format."""


def read_header(file: Any) -> Any:
    """The header of an open file: `{name: {dtype, shape, data_offsets}}`, with `__metadata__` where there is one."""
    start = file.read(8)
    if len(start) < 8:
        raise SafetensorError("Error while deserializing header: header too small")
    length = struct.unpack("<Q", start)[0]
    if length > MAX_HEADER_BYTES:
        raise SafetensorError("Error while deserializing header: header too large")
    text = file.read(length)
    if len(text) < length:
        raise SafetensorError("Error while deserializing header: invalid header length")
    try:
        header = json.loads(text)
    except ValueError:
        raise SafetensorError("Error while deserializing header: invalid JSON in header") from None
    if not isinstance(header, dict):
        raise SafetensorError("Error while deserializing header: invalid header start")
    for name, entry in header.items():
        if name != "__metadata__":
            _check(name, entry)
    return header


def _check(name, entry):
    good = isinstance(entry, dict) and entry.get("dtype") in ITEM_BYTES and isinstance(entry.get("shape"), list)
    if not good or not all(isinstance(n, int) and n >= 0 for n in entry["shape"]):
        raise SafetensorError(f"Error while deserializing header: bad entry for {name}")


def header_of(entries: Any, metadata: Any) -> tuple:
    """The packed header of `(name, dtype, shape, bytes)` entries, padded to eight bytes, and the bytes of data."""
    header, at = {}, 0
    if metadata:
        header["__metadata__"] = dict(metadata)
    for name, dtype, shape, size in entries:
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text, at


def serialize(tensor_dict: dict, metadata: dict[str, str] | None = None) -> bytes:
    """The bytes of a file for `{name: {dtype, shape, data}}`."""
    entries = [(name, NAMES[e["dtype"]][0], e["shape"], len(e["data"])) for name, e in tensor_dict.items()]
    return header_of(entries, metadata)[0] + b"".join(bytes(e["data"]) for e in tensor_dict.values())


def serialize_file(tensor_dict: dict, filename: Any, metadata: dict[str, str] | None = None) -> None:
    with open(filename, "wb") as file:
        file.write(serialize(tensor_dict, metadata))


def deserialize(data: Any) -> list:
    import io

    file = io.BytesIO(data)
    header = read_header(file)
    base = file.tell()
    return [
        (n, {"dtype": e["dtype"], "shape": e["shape"], "data": data[base + e["data_offsets"][0] : base + e["data_offsets"][1]]})
        for n, e in header.items()
        if n != "__metadata__"
    ]  # fmt: skip
