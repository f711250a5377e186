"""Which collection of a program keeps what each pass of a loop adds: found by looking, when the loop is left."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


_DEEP = 2


def keepers(frame: int, passes: Any) -> tuple:
    """Names of collections that hold a tensor of the GPU for each of so many passes."""
    found = []
    for scope in (frame.f_locals, frame.f_globals):
        for name, value in list(scope.items()):
            if not name.startswith("__"):
                _look(name, value, passes, found, _DEEP)
    return tuple(dict.fromkeys(found))


def _look(name, value, passes, found, deep):
    if isinstance(value, (list, deque, dict, set)):
        # the first passes may have ended before something was kept
        if len(value) >= max(2, passes // 2) and _has_tensor(next(iter(_values(value)))):
            found.append(name)
        elif deep and isinstance(value, dict) and len(value) < 64:
            for key, inner in list(value.items()):
                _look(f"{name}[{key!r}]", inner, passes, found, deep - 1)
    elif deep and hasattr(value, "__dict__") and not isinstance(value, type) and type(value).__module__ == "__main__":
        for key, inner in list(vars(value).items()):
            if not key.startswith("_"):
                _look(f"{name}.{key}", inner, passes, found, deep - 1)


def _values(collection):
    return collection.values() if isinstance(collection, dict) else collection


def _has_tensor(value):
    import torch

    if isinstance(value, torch.Tensor):
        return value.is_cuda
    return isinstance(value, (tuple, list)) and any(_has_tensor(one) for one in value)
