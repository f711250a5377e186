"""Tables of published time series that programs read by name: their columns, rows and clock are known, their values are not.

Sizes: the ETDataset repository and table 1 of "Autoformer" (Wu et al. 2021), whose files the others took over.
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Series(NamedTuple):
    """A date, numbers and the target OT, in rows so many minutes apart."""

    rows: int
    columns: Sequence[str]
    first: str
    minutes: int


_TRANSFORMER = ("HUFL", "HULL", "MUFL", "MULL", "LUFL", "LULL")


def _numbered(count):
    return tuple(str(n) for n in range(count))


SERIES = {
    "etth1.csv": Series(17_420, _TRANSFORMER, "2016-07-01", 60),
    "etth2.csv": Series(17_420, _TRANSFORMER, "2016-07-01", 60),
    "ettm1.csv": Series(69_680, _TRANSFORMER, "2016-07-01", 15),
    "ettm2.csv": Series(69_680, _TRANSFORMER, "2016-07-01", 15),
    "weather.csv": Series(52_696, _numbered(20), "2020-01-01", 10),
    "exchange_rate.csv": Series(7_588, _numbered(7), "1990-01-01", 1_440),
    "national_illness.csv": Series(966, _numbered(6), "2002-01-01", 10_080),
}


def of(path: str) -> tuple[bytes, str] | None:
    """(bytes, words) of the table of such a file name, or None."""
    known = SERIES.get(os.path.basename(path).lower())
    if known is None:
        return None
    columns = ["date", *known.columns, "OT"]
    clock, step = datetime.fromisoformat(known.first), timedelta(minutes=known.minutes)
    lines = [
        ",".join((str(clock + i * step), *(str((i + 3 * j) % 97 / 8) for j in range(len(columns) - 1))))
        for i in range(known.rows)
    ]
    said = f"{known.rows:,} rows of {', '.join(columns[:8])}{', ...' if len(columns) > 8 else ''}"
    return "".join(f"{line}\n" for line in (",".join(columns), *lines)).encode(), said
