"""numpy.core: where older and newer NumPy keep what `numpy` gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks

import numpy as _numpy

if TYPE_CHECKING:
    from typing import Any


_lacks = lacks("numpy.core")


def __getattr__(name: str) -> Any:
    if name in ("multiarray", "numeric"):
        import importlib

        return importlib.import_module(f"{__name__}.multiarray")
    if not name.startswith("__") and hasattr(_numpy, name):
        return getattr(_numpy, name)
    return _lacks(name)
