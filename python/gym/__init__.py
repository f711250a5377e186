"""gym: gymnasium under its earlier name, for programs of either interface."""

import sys
from types import ModuleType

import gymnasium
from gymnasium import *  # noqa: F403
from gymnasium import core as _core, envs, registration, spaces, utils, vector as _vector, wrappers as _wrappers

from torch._stand_ins import lacks

from ._interface import BothWrapper, SyncVectorEnv, either, make

__version__ = "0.26.2"
__all__ = gymnasium.__all__
for _name, _module in list(sys.modules.items()):
    if _name.startswith("gymnasium."):
        sys.modules[_name.replace("gymnasium", "gym", 1)] = _module


def _of_both(module, made):
    """The module with its wrappers for both interfaces."""
    own = ModuleType(module.__name__.replace("gymnasium", "gym", 1), module.__doc__)
    for name, value in vars(module).items():
        if isinstance(value, type) and issubclass(value, _core.Wrapper):
            value = made.setdefault(value, either(value))
        if not name.startswith("__"):
            setattr(own, name, value)
    sys.modules[own.__name__] = own
    return own


_made = {_core.Wrapper: BothWrapper}
core, wrappers, vector = _of_both(_core, _made), _of_both(_wrappers, _made), _of_both(_vector, _made)
for _name in ("Wrapper", "ObservationWrapper", "RewardWrapper", "ActionWrapper"):
    vars()[_name] = getattr(core, _name)
vector.VectorEnv = vector.SyncVectorEnv = vector.AsyncVectorEnv = SyncVectorEnv
# each space and each wrapper had a module of its own
for _module, _names in ((spaces, vars(spaces)), (wrappers, vars(wrappers))):
    _module.__path__ = []
    for _name, _kind in list(_names.items()):
        if isinstance(_kind, type):
            _own = "".join("_" + c.lower() if c.isupper() else c for c in _name).strip("_")
            sys.modules.setdefault(f"gym.{_module.__name__.partition('.')[2]}.{_own}", _module)
# levels of its own log, of which nothing is kept
logger = sys.modules["gym.logger"] = ModuleType("gym.logger", "gym.logger: what it is told is not kept.")
logger.DEBUG, logger.INFO, logger.WARN, logger.ERROR, logger.DISABLED = 10, 20, 30, 40, 50
for _name in ("set_level", "debug", "info", "warn", "warning", "error", "deprecation", "setLevel"):
    setattr(logger, _name, lambda *_, **__: None)
__getattr__ = lacks("gym")
