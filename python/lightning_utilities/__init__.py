"""lightning_utilities: what Lightning's packages share; the package itself wins where it is installed."""

from .core.apply_func import apply_to_collection
from .core.enums import StrEnum
from .core.imports import compare_version, module_available
from .core.overrides import is_overridden
from .core.rank_zero import WarningCache

__version__ = "0.15.3"
__all__ = [
    "StrEnum",
    "WarningCache",
    "apply_to_collection",
    "compare_version",
    "is_overridden",
    "module_available",
]
