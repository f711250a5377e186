"""Wraps the outermost calls of models: those that no other module makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

if TYPE_CHECKING:
    from collections.abc import Callable


def around_outermost(wrap: Callable) -> None:
    """`wrap(model, call)` runs `call()` for each outermost call of a module."""
    plain = nn.Module.__call__
    depth = 0

    def __call__(self, *args, **kwargs):
        nonlocal depth
        depth += 1
        try:
            if depth > 1:
                return plain(self, *args, **kwargs)
            return wrap(self, lambda: plain(self, *args, **kwargs))
        finally:
            depth -= 1

    nn.Module.__call__ = __call__
