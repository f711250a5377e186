"""Published pickles that programs read by name: the parts of CIFAR-10 and CIFAR-100 as their page describes them (Krizhevsky 2009).

They are pickles of Python 2, so that their keys are texts or bytes as the program asks for: they are written opcode by opcode.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_PIXELS = 3 * 32 * 32
# what the file is called with its folder -> rows, and how many classes each list of labels has
_BATCHES = (
    (re.compile(r"(?:^|/)(?:data_batch_[1-5]|test_batch)$"), 10_000, {"labels": 10}),
    (re.compile(r"cifar-?100[^/]*/train$"), 50_000, {"fine_labels": 100, "coarse_labels": 20}),
    (re.compile(r"cifar-?100[^/]*/test$"), 10_000, {"fine_labels": 100, "coarse_labels": 20}),
)
_NAMES = (
    (re.compile(r"(?:^|/)batches\.meta$"), {"label_names": 10}),
    (re.compile(r"cifar-?100[^/]*/meta$"), {"fine_label_names": 100, "coarse_label_names": 20}),
)


def _text(word):
    return b"U" + bytes([len(word)]) + word.encode()


def _list(items):
    return b"](" + b"".join(items) + b"e"


def _dict(items: Sequence[tuple[str, bytes]]):
    return b"\x80\x02}(" + b"".join(_text(key) + value for key, value in items) + b"u."


def of(path: str) -> tuple[bytes, str] | None:
    """(bytes, words) of such a file, or None."""
    for called, rows, lists in _BATCHES:
        if called.search(path):
            shape = b"J" + struct.pack("<i", rows) + b"J" + struct.pack("<i", _PIXELS) + b"\x86"
            data = b"cnumpy\nzeros\n" + shape + b"X\x05\0\0\0uint8\x86R"
            labels = [(name, _list(b"K" + bytes([i % n]) for i in range(rows))) for name, n in lists.items()]
            return _dict([("data", data), *labels]), f"{rows:,} rows of {_PIXELS} pixels and {', '.join(lists)}"
    for called, lists in _NAMES:
        if called.search(path):
            names = [(name, _list(_text(f"class_{i}") for i in range(n))) for name, n in lists.items()]
            return _dict(names), f"names of {', '.join(map(str, lists.values()))} classes"
    return None
