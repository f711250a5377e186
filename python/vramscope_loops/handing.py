"""Loops that hand on what others yield: their passes are their own until that gives something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import passes

if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any


def handing(given: Any, number: int) -> Generator[Any, Any, Any]:
    """What a loop hands on, and a note with the loop when there is something."""
    items = iter(given)
    try:
        first = next(items)
    except StopIteration as ended:
        return ended.value
    passes.sites[number].pauses = True
    sent = yield first
    while sent is not None:
        try:
            sent = yield items.send(sent)
        except StopIteration as ended:
            return ended.value
    return (yield from items)
