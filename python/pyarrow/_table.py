"""Columns of Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self


class Column(list):
    """The values of a column."""

    def to_pylist(self) -> list:
        return list(self)

    def to_numpy(self, zero_copy_only: bool = False) -> Any:
        import numpy as np

        return np.array(list(self))

    def combine_chunks(self) -> Self:
        return self

    num_chunks = property(lambda self: 1)


class Table:
    """Columns by name."""

    def __init__(self, columns: dict) -> None:
        self._columns = {name: Column(values) for name, values in columns.items()}

    column_names = property(lambda self: list(self._columns))
    num_rows = property(lambda self: len(next(iter(self._columns.values()), ())))
    num_columns = property(lambda self: len(self._columns))

    def __len__(self) -> int:
        return self.num_rows

    def column(self, name: str) -> Any:
        return self._columns[self.column_names[name] if isinstance(name, int) else name]

    __getitem__ = column

    def to_pydict(self) -> dict:
        return {name: list(values) for name, values in self._columns.items()}

    def to_pylist(self) -> list:
        return [dict(zip(self._columns, row)) for row in zip(*self._columns.values())]

    def to_pandas(self, **_: Any) -> Any:
        import pandas

        return pandas.DataFrame(self._columns)

    def slice(self, offset: int = 0, length: int | None = None) -> Table:
        end = None if length is None else offset + length
        return Table({name: values[offset:end] for name, values in self._columns.items()})

    def select(self, names: Sequence[str]) -> Table:
        return Table({name: self._columns[name] for name in names})

    @staticmethod
    def from_pydict(mapping: Any, **_: Any) -> Table:
        return Table(mapping)

    @staticmethod
    def from_pandas(df: Any, **_: Any) -> Table:
        return Table(df._columns)

    @staticmethod
    def from_pylist(rows: Any, **_: Any) -> Table:
        return Table({name: [row[name] for row in rows] for name in (rows[0] if rows else ())})


def table(data: Any, **_: Any) -> Table:
    return Table(data)


def schema(fields: Any) -> list:
    return list(fields)
