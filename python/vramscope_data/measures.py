"""Sizes that a program tells of data that is not there: tables of numbers, where it takes the whole of one for a matrix and knows no texts, and the
side of its pictures, where its command line says one."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from . import readers

if TYPE_CHECKING:
    from typing import Any

_TAKES_ALL = re.compile(r"\.values\b|\.to_numpy\(|Scaler\(")
_OF_TEXTS = re.compile(r"token|text|sentence|word|vocab|corpus|caption|\.jpe?g|\.png|Image\b|imread", re.IGNORECASE)
_DATES = re.compile(r"date|time(?:stamp)?$", re.IGNORECASE)
_COLUMNS, _ROWS = 16, 1000


def wanted() -> bool:
    """Whether the module that asks reads tables of numbers."""
    frame = readers.asker()
    text = "" if frame is None else readers.text_of(frame)
    return _TAKES_ALL.search(text) is not None and _OF_TEXTS.search(text) is None


def resolution() -> int | None:
    """`--resolution 512`, as programs that train on pictures call it; None where nobody says one number."""
    words = " ".join(sys.argv[1:])
    found = re.search(r"(?:^| )--resolution[ =](\d{2,4})(?: |$)", words)
    return None if found is None else int(found[1])


def column(name: str, count: int) -> list:
    """Values of a column: small numbers, and an hour for each row where the name is one of times."""
    if _DATES.search(name):
        return [_hour(i) for i in range(count)]
    return [i % 10 for i in range(count)]


def _hour(row: int) -> str:
    return f"{2016 + row // 8064}-{row // 672 % 12 + 1:02}-{row // 24 % 28 + 1:02} {row % 24:02}:00:00"


def table(names: Any) -> tuple[list[str], list[list]]:
    """(names, rows) of a table that has the columns that the program asks for, times first, and more."""
    asked = list(dict.fromkeys(names))
    asked.sort(key=lambda name: _DATES.search(name) is None)
    asked += [f"value{i}" for i in range(_COLUMNS - len(asked))]
    return asked, [list(row) for row in zip(*(column(name, _ROWS) for name in asked))]
