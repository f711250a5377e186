"""Sizes of images from the first bytes of their files."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def image_size(data: Any) -> tuple | None:
    """(channels, height, width), or None for a format that is not known."""
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        width, height, _, kind = struct.unpack(">IIBB", data[16:26])
        return {0: 1, 2: 3, 3: 3, 4: 2, 6: 4}.get(kind, 3), height, width
    if data[:2] == b"\xff\xd8":
        return _jpeg(data)
    if data[:3] == b"GIF":
        width, height = struct.unpack("<HH", data[6:10])
        return 3, height, width
    if data[:2] == b"BM":
        width, height = struct.unpack("<ii", data[18:26])
        return 3, abs(height), width
    if data[:2] in (b"P5", b"P6"):
        plain = re.match(rb"P[56]\s+(?:#[^\n]*\n\s*)*(\d+)\s+(\d+)", data)
        return plain and (1 if data[1:2] == b"5" else 3, int(plain[2]), int(plain[1]))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp(data)
    return None


def _jpeg(data):
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            at += 1
            continue
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width, channels = struct.unpack(">HHB", data[at + 5 : at + 10])
            return channels, height, width
        at += 2 if 0xD0 <= marker <= 0xD9 else 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    return None


def _webp(data):
    kind = data[12:16]
    if kind == b"VP8X":
        return 3, 1 + int.from_bytes(data[27:30], "little"), 1 + int.from_bytes(data[24:27], "little")
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return 3, height & 0x3FFF, width & 0x3FFF
    bits = int.from_bytes(data[21:25], "little")
    return 4, 1 + (bits >> 14 & 0x3FFF), 1 + (bits & 0x3FFF)
