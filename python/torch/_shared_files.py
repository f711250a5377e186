"""What torch.save writes on one rank can be read on another: ranks of one machine share its disk. A file holds shapes, so it is small."""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


_LARGEST = 2**22  # bytes that are packed and handed on


def _exchange():
    from .distributed import _exchange as exchange

    return exchange if int(os.environ.get("WORLD_SIZE") or 1) > 1 and exchange.together() else None


def _key(path):
    return "file " + os.path.abspath(os.fspath(path))


def tell_file(path: Any, data: bytes) -> None:
    """Tells the other ranks of a file."""
    exchange = _exchange()
    if exchange is not None and len(packed := zlib.compress(data)) <= _LARGEST:
        exchange.store_set(_key(path), packed)


def file_of_other_rank(path: Any) -> bytes | None:
    """The file as another rank wrote it last, if one did."""
    exchange = _exchange()
    if exchange is None or not exchange.store_has(_key(path)):
        return None
    return zlib.decompress(exchange.store_get(_key(path)))
