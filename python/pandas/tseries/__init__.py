"""pandas.tseries: steps of time and their short names."""

from . import frequencies, offsets

__all__ = ["frequencies", "offsets"]
