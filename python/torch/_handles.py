"""The Tensor that wraps a handle of the engine: at most one lives for each."""

from __future__ import annotations

from weakref import ref as _ref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


_js = None  # the engine's functions, set by connect()
Tensor = None  # class torch.Tensor, set by know()
_new = object.__new__
_live = {}  # handle -> weak reference to the Tensor that wraps it


def connect(functions: Sequence[Callable]) -> None:
    """Takes the engine's functions for this run."""
    global _js
    _js = functions


def know(tensor_class: type) -> None:
    """Takes the class that wraps handles."""
    global Tensor
    Tensor = tensor_class


def wrap(handle: int) -> Any:
    """The Tensor for a handle: negative means that one lives already."""
    if handle > 0:
        if handle in subclasses:
            return _known_subclass(handle)
        t = _new(Tensor)
        t._h = handle
        _live[handle] = _ref(t)
        return t
    if handle == 0:
        return None
    handle = -handle
    known = _live.get(handle)
    t = known() if known is not None else None
    if t is None:
        _js.addWrapper(handle)
        if handle in subclasses:
            return _known_subclass(handle)
        t = _new(Tensor)
        t._h = handle
        _live[handle] = _ref(t)
    return t


# Tensors of subclasses that run their own operators: handle -> (class, attributes). The engine may hold one while no Python
# object does; the object that is made then has the same attributes.
subclasses = {}


def _known_subclass(handle):
    cls, attributes = subclasses[handle]
    t = _new(cls)
    t.__dict__ = attributes
    _live[handle] = _ref(t)
    return t


def wrap_list(text: str) -> list:
    return [wrap(int(h)) if h else None for h in text.split(",")] if text else []
