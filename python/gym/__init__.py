"""gym: its last release has gymnasium's interface, so it is gymnasium under another name."""

import sys

import gymnasium
from gymnasium import *  # noqa: F403
from gymnasium import core, spaces, vector, wrappers

from torch._stand_ins import lacks

__version__ = "0.26.2"
__all__ = gymnasium.__all__
for _module in (core, spaces, vector, wrappers):
    sys.modules[_module.__name__.replace("gymnasium", "gym")] = _module
__getattr__ = lacks("gym")
