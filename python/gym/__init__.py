"""gym: its last release has gymnasium's interface, so it is gymnasium under another name."""

import sys

import gymnasium
from gymnasium import *  # noqa: F403
from gymnasium import core, envs, registration, spaces, utils, vector, wrappers

from torch._stand_ins import lacks

__version__ = "0.26.2"
__all__ = gymnasium.__all__
for _name, _module in list(sys.modules.items()):
    if _name.startswith("gymnasium."):
        sys.modules[_name.replace("gymnasium", "gym", 1)] = _module
__getattr__ = lacks("gym")
