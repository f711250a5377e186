"""scipy.io.wavfile: lengths and rates by the headers of files, silence in them."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import note

if TYPE_CHECKING:
    from typing import Any

_KINDS = {8: "uint8", 16: "int16", 32: "int32"}


def read(filename: str, mmap: bool = False) -> tuple:
    """(rate, samples)."""
    with filename if hasattr(filename, "read") else open(filename, "rb") as file:
        data = file.read(1 << 12)
        file.seek(0, 2)
        size = file.tell()
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise ValueError(f"File format {data[:4]!r} not understood. Only 'RIFF', 'RIFX', and 'RF64' supported.")
    at, rate, channels, bits, is_float = 12, 16_000, 1, 16, False
    while at + 8 <= len(data):
        name, length = data[at : at + 4], struct.unpack("<I", data[at + 4 : at + 8])[0]
        if name == b"fmt ":
            kind, channels, rate, _, _, bits = struct.unpack("<HHIIHH", data[at + 8 : at + 24])
            is_float = kind == 3
        elif name == b"data":
            size = min(length, size - at - 8)
            break
        at += 8 + length + length % 2
    note("placeholder_data", "library", "scipy.io.wavfile")
    count = size // (channels * bits // 8)
    dtype = f"float{bits}" if is_float else _KINDS[bits]
    return rate, np.zeros((count,) if channels == 1 else (count, channels), dtype)


def measures(path: Any) -> tuple[int, int, int] | None:
    """Rate, frames and channels of a path or an open file; None for what is no file of WAV."""
    if not hasattr(path, "read"):
        with open(path, "rb") as file:
            return measures(file)
    is_wav = path.read(4) == b"RIFF"
    path.seek(0)
    if not is_wav:
        return None
    rate, data = read(path)
    return rate, data.shape[0], 1 if data.ndim == 1 else data.shape[1]


def write(filename: str, rate: int, data: np.ndarray) -> None:
    note("drawing_skipped", "library", "scipy.io.wavfile.write")
    if not hasattr(filename, "write"):
        open(filename, "wb").close()
