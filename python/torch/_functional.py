"""The functions of torch that no row of an operator makes alone, gathered from their rooms: which are torch.NAME, which methods of Tensor too.

They are Python in PyTorch, too (torch/functional.py), read data of Python (torch.tensor), or answer without an operator. Those that are compiled in PyTorch say so where they are written (`compiled`): their frames hold nothing.
"""

from __future__ import annotations

from . import (
    _arithmetic,
    _conversions,
    _joining,
    _literals,
    _promotion,
    _queries,
    _reductions,
    _selection,
    _shaping,
)

ROOMS = (
    _reductions,
    _selection,
    _shaping,
    _joining,
    _arithmetic,
    _literals,
    _conversions,
    _promotion,
    _queries,
)


def public() -> dict:
    """The functions that are torch.NAME."""
    return {
        name: value
        for room in ROOMS
        for name, value in vars(room).items()
        if callable(value) and not name.startswith("_") and getattr(value, "__module__", "") == room.__name__
    }


def methods() -> dict:
    """The functions that are Tensor.NAME, too."""
    named = {name: getattr(room, name) for room in ROOMS for name in getattr(room, "METHODS", ())}
    return {**named, **_conversions.CAST_METHODS}
