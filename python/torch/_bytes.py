"""Numbers out of bytes and back: what a buffer or a file holds, by the dtype of PyTorch or NumPy."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import torch

# What `struct` calls the elements of a dtype.
_CODES = {
    "float64": "d",
    "float32": "f",
    "float16": "e",
    "uint64": "Q",
    "uint32": "I",
    "uint16": "H",
    "int64": "q",
    "int32": "i",
    "int16": "h",
    "int8": "b",
    "uint8": "B",
    "bool": "?",
}


def numbers(content: bytes | bytearray | memoryview, dtype: torch.dtype, count: int, offset: int = 0) -> tuple | None:
    """`count` little-endian elements from a byte on; None where Python has no such numbers."""
    code = _CODES.get(dtype.name)
    return None if code is None else struct.unpack_from(f"<{count}{code}", content, offset)


def content_of(values: Iterable[float], dtype: torch.dtype) -> bytes | None:
    """The bytes of these elements; None where Python has no such numbers."""
    code = _CODES.get(dtype.name)
    if code is None:
        return None
    values = tuple(values)
    return struct.pack(f"<{len(values)}{code}", *values)
