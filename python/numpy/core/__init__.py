"""numpy.core: where older and newer NumPy keep what `numpy` gives."""

from torch._stand_ins import lacks

import numpy as _numpy

_lacks = lacks("numpy.core")


def __getattr__(name):
    if name == "multiarray":
        import importlib

        return importlib.import_module(f"{__name__}.multiarray")
    if not name.startswith("__") and hasattr(_numpy, name):
        return getattr(_numpy, name)
    return _lacks(name)
