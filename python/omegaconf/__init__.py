"""omegaconf: configurations as nested dictionaries with attributes, interpolation and merging; the package itself wins where installed."""

import sys

from torch._stand_ins import lacks

from ._config import OmegaConf, flag_override, open_dict, read_write
from ._errors import (
    MISSING,
    ConfigAttributeError,
    ConfigKeyError,
    MissingMandatoryValue,
    OmegaConfBaseException,
    ValidationError,
)
from ._nodes import DictConfig, ListConfig

__version__ = "2.3.0"
II = lambda interpolation: "${" + interpolation + "}"
SI = lambda interpolation: interpolation
Container = BaseContainer = (DictConfig, ListConfig)
for _name in ("dictconfig", "listconfig", "omegaconf", "errors", "base"):
    sys.modules[f"{__name__}.{_name}"] = vars()[_name] = sys.modules[__name__]
__all__ = [
    "II", "MISSING", "SI", "ConfigAttributeError", "ConfigKeyError", "DictConfig", "ListConfig", "MissingMandatoryValue", "OmegaConf",
    "OmegaConfBaseException", "ValidationError", "flag_override", "open_dict", "read_write",
]  # fmt: skip
__getattr__ = lacks("omegaconf")
