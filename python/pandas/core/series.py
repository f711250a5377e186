"""pandas.core.series."""

from .._series import Series

__all__ = ["Series"]
