"""pandas.core.groupby: rows with the same value of a column."""

from .generic import DataFrameGroupBy, SeriesGroupBy

GroupBy = DataFrameGroupBy
__all__ = ["DataFrameGroupBy", "GroupBy", "SeriesGroupBy"]
