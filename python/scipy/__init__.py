"""SciPy: what training programs take of it to read, smooth, match and weigh data. Small things have their values; large ones their shapes."""

from typing import Any

import importlib

from torch._stand_ins import lacks

__version__ = "1.17.0"
_PARTS = "sparse io signal linalg ndimage stats special spatial optimize interpolate fft misc".split()
_lacks = lacks("scipy")


def __getattr__(name: str) -> Any:
    return importlib.import_module(f"scipy.{name}") if name in _PARTS else _lacks(name)
