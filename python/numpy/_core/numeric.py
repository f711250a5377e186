"""numpy._core.numeric: a name that arrays pickled by protocol 5 are rebuilt by, and what `numpy` gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as _numpy
from numpy._pickled import from_buffer as _frombuffer

if TYPE_CHECKING:
    from typing import Any

__all__ = ["_frombuffer"]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(_numpy, name)
