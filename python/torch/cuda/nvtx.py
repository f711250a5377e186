"""Ranges for profilers: marks in the trace."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from .. import _C

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def mark(msg: str) -> None:
    _C._js.mark(str(msg), _C.here())


def range_push(msg: str) -> int:
    mark(msg)
    return 0


def range_pop() -> int:
    return 0


def range_start(msg: str) -> int:
    mark(msg)
    return 0


def range_end(_: Any) -> None:
    pass


@contextmanager
def range(msg: str, *args: Any, **kwargs: Any) -> Iterator:
    mark(msg)
    yield
