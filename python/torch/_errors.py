"""The exceptions that PyTorch defines itself, and ours for an operator without a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class OutOfMemoryError(RuntimeError):
    """The simulated GPU has no memory left for a request."""


OutOfMemoryError.__module__ = "torch"


class UnsupportedOp(NotImplementedError):
    """An operator that the engine has no row for."""

    __module__ = "builtins"  # a traceback names it without a module


def name_after(qualified: Any) -> None:
    """Gives the exception for a full memory the name that the simulated release gives it; the oldest one raises RuntimeError."""
    module, _, name = qualified.rpartition(".")
    OutOfMemoryError.__module__ = module or "builtins"
    OutOfMemoryError.__name__ = OutOfMemoryError.__qualname__ = name
