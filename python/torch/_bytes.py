"""Numbers out of bytes: what a buffer or a file holds, by the dtype."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

# What `struct` calls the elements of a dtype.
_CODES = {
    "float64": "d",
    "float32": "f",
    "float16": "e",
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
