"""pandas.tseries.frequencies: steps of time from their short names."""

from __future__ import annotations

import re

from . import offsets

_KINDS = {
    "y": "YearEnd", "a": "YearEnd", "ye": "YearEnd", "q": "QuarterEnd", "qe": "QuarterEnd", "m": "MonthEnd", "me": "MonthEnd",
    "w": "Week", "d": "Day", "b": "BusinessDay", "h": "Hour", "t": "Minute", "min": "Minute", "s": "Second",
}  # fmt: skip


def to_offset(freq: str | offsets.DateOffset) -> offsets.DateOffset:
    """`15min` as 15 minutes; ValueError for a name that is none."""
    if isinstance(freq, offsets.DateOffset):
        return freq
    count, name = re.fullmatch(r"(\d*)(.*)", freq).groups()
    kind = _KINDS.get(name.partition("-")[0].lower())
    if kind is None:
        raise ValueError(f"Invalid frequency: {freq}")
    return getattr(offsets, kind)(int(count or 1))
