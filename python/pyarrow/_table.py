"""Columns of Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self


class Type:
    """The type of a column, by the Python type of its values."""

    def __init__(self, of: type) -> None:
        self.of = of

    def to_pandas_dtype(self) -> Any:
        import numpy as np

        return {int: np.int32, float: np.float64, bool: np.bool_}.get(self.of, np.object_)


class Whole(int):
    """A number out of a column of numbers."""

    def as_py(self) -> int:
        return int(self)


class Column(list):
    """The values of a column."""

    @staticmethod
    def from_arrays(offsets: Sequence[int], values: Sequence) -> Column:
        """Lists, from where each begins and ends in a column of all their values."""
        at = [int(one) for one in offsets]
        return Column([list(values[start:end]) for start, end in zip(at, at[1:])])

    def __getitem__(self, place: Any) -> Any:
        found = list.__getitem__(self, place)
        return Column(found) if isinstance(place, slice) else found

    @property
    def type(self) -> Type:
        kind = next((type(value) for value in self if value is not None), object)
        return Type(int if kind is Whole else kind)

    @property
    def offsets(self) -> Column:
        at = [0]
        for value in self:
            at.append(at[-1] + len(value))
        return Column([Whole(one) for one in at])

    @property
    def values(self) -> Column:
        return Column([one for value in self for one in value])

    def flatten(self) -> Column:
        """The values of all lists, one after the other."""
        return self.values

    def equals(self, other: Sequence) -> bool:
        return list(self) == list(other)

    chunks = property(lambda self: [self])

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

    def combine_chunks(self) -> Self:
        return self

    columns = property(lambda self: list(self._columns.values()))

    def append_column(self, name: str, values: Sequence) -> Table:
        return Table({**self._columns, name: values})

    def drop_columns(self, names: str | Sequence[str]) -> Table:
        gone = {names} if isinstance(names, str) else set(names)
        return Table({name: values for name, values in self._columns.items() if name not in gone})

    def take(self, indices: Sequence[int]) -> Table:
        return Table({name: [values[place] for place in indices] for name, values in self._columns.items()})

    @staticmethod
    def from_arrays(arrays: Sequence, names: Sequence[str], **_: Any) -> Table:
        return Table(dict(zip(names, arrays, strict=True)))

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


class Struct:
    """Several columns beside each other."""

    def __init__(self, columns: Sequence) -> None:
        self._columns = [Column([int(v) if hasattr(v, "item") else v for v in values]) for values in columns]

    def field(self, place: int) -> Column:
        return self._columns[place]

    def sort(self, order: str = "ascending", by: int = 0) -> Struct:
        """Rows that are alike stay in their order."""
        key = self._columns[by]
        falls = order == "descending"
        indices = sorted(range(len(key)), key=lambda at: -key[at] if falls else key[at])
        return Struct([[values[at] for at in indices] for values in self._columns])


def table(data: Any, **_: Any) -> Table:
    return Table(data)


def schema(fields: Any) -> list:
    return list(fields)
