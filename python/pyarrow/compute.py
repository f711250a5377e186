"""pyarrow.compute: what is asked of columns, value by value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from ._table import Column, Struct

if TYPE_CHECKING:
    from typing import Any


def list_value_length(column: str) -> Any:
    return Column([None if value is None else len(value) for value in column])


def greater(column: Any, other: Any) -> Any:
    return Column([None if value is None else value > other for value in column])


def filter(column: Any, mask: Any) -> Any:
    return Column([value for value, stays in zip(column, mask) if stays])


def list_slice(column: Any, start: int, stop: int | None = None, step: int = 1) -> Any:
    return Column([None if value is None else value[start:stop:step] for value in column])


def take(data: Any, indices: Any) -> Any:
    rows = [int(place) for place in indices]
    return Column([data[place] for place in rows]) if isinstance(data, Column) else data.take(rows)


def make_struct(*columns: Any, **_: Any) -> Struct:
    return Struct(columns)


def max(column: str, **_: Any) -> Any:
    return _most(column, 1)


def min(column: str, **_: Any) -> Any:
    return _most(column, -1)


def _most(column, sign):
    known = [value for value in column if value is not None]
    return sorted(known)[-1 if sign > 0 else 0] if known else None


def sum(column: str, **_: Any) -> int:
    total = 0
    for value in column:
        total += value or 0
    return total


def unique(column: str, **_: Any) -> Any:
    return Column(list(dict.fromkeys(column)))


__getattr__ = lacks(__name__)
