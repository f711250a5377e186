"""pandas.core.frame."""

from .._frame import DataFrame

__all__ = ["DataFrame"]
