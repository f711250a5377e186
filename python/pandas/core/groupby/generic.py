"""pandas.core.groupby.generic."""

from ..._places import Groups as DataFrameGroupBy
from ..._places import Grouped as SeriesGroupBy

__all__ = ["DataFrameGroupBy", "SeriesGroupBy"]
