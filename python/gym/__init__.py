"""gym: gymnasium under its earlier name, for programs of either interface."""

import sys

import gymnasium
from gymnasium import *  # noqa: F403
from gymnasium import core, envs, registration, spaces, utils, vector, wrappers

from torch._stand_ins import lacks

from ._interface import make

__version__ = "0.26.2"
__all__ = gymnasium.__all__
for _name, _module in list(sys.modules.items()):
    if _name.startswith("gymnasium."):
        sys.modules[_name.replace("gymnasium", "gym", 1)] = _module
# each space and each wrapper had a module of its own
for _module, _names in ((spaces, vars(spaces)), (wrappers, vars(wrappers))):
    _module.__path__ = []
    for _name, _kind in list(_names.items()):
        if isinstance(_kind, type):
            _own = "".join("_" + c.lower() if c.isupper() else c for c in _name).strip("_")
            sys.modules.setdefault(f"{_module.__name__.replace('gymnasium', 'gym', 1)}.{_own}", _module)
__getattr__ = lacks("gym")
