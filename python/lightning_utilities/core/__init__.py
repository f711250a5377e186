"""lightning_utilities.core."""

from . import apply_func, enums, imports, inheritance, overrides, rank_zero  # noqa: F401
