"""How many passes a loop over something makes, and how many rows of data those hand out."""

from __future__ import annotations

from operator import length_hint
from typing import Any

SIZED = {list, tuple, range, dict, set, frozenset, str, bytes, type({}.keys()), type({}.values()), type({}.items())}


def length(items: Any) -> int:
    """How many items there will be, or -1."""
    try:
        if type(items) in (enumerate, zip, map, reversed):
            parts = items.__reduce__()[1]
            if type(items) is enumerate:
                return length(parts[0])
            lengths = [length(part) for part in (parts[1:] if type(items) is map else parts)]
            return min((n for n in lengths if n >= 0), default=-1)
        owner = _owner(items)
        return length_hint(items, -1) if owner is None else len(owner)
    except Exception:
        return -1


def _owner(items):
    """The object whose `__iter__` is a generator that has not begun: it gives as many items as the object has."""
    frame = getattr(items, "gi_frame", None)
    code = getattr(items, "gi_code", None)
    if frame is None or code.co_name != "__iter__" or items.gi_suspended or items.gi_running:
        return None
    return frame.f_locals.get(code.co_varnames[0])


def rows(items: Any) -> int:
    """How many rows there are in what a loader of data hands out, or -1."""
    if type(items) is enumerate:
        items = items.__reduce__()[1][0]
    try:
        return len((_owner(items) or items).dataset)
    except Exception:
        return -1
