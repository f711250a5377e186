"""Stand-in for matplotlib: takes every drawing and draws nothing; the report says so once."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from vramscope_absent import Inert

if TYPE_CHECKING:
    from typing import Any


__version__ = "3.10.0"
rcParams = {}
__draws_nothing__ = True  # all that is below it does nothing, too


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return importlib.import_module("matplotlib.pyplot") if name == "pyplot" else Inert(f"matplotlib.{name}")


def use(backend: Any, **options: Any) -> None:
    """Any backend draws nothing."""


def rc(group: Any, **options: Any) -> None:
    """Nothing is drawn."""
