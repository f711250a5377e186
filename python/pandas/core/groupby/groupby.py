"""pandas.core.groupby.groupby."""

from .generic import DataFrameGroupBy as GroupBy

__all__ = ["GroupBy"]
