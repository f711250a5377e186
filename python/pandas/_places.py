"""Parts of a table: rows by position or label, and groups of rows with the same value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ._series import Series

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Rows:
    """Rows by position or by label, with columns beside."""

    def __init__(self, frame: int, by_position: Any) -> None:
        self._frame, self._by_position = frame, by_position

    def _split(self, key):
        rows, column = key if isinstance(key, tuple) else (key, None)
        return rows, column

    def _positions(self, rows):
        """A position, or a list of them."""
        count = len(self._frame)
        if isinstance(rows, slice):
            if self._by_position:
                return list(range(count)[rows])
            index = self._frame.index
            start = 0 if rows.start is None else index.index(rows.start)
            return list(range(start, count if rows.stop is None else index.index(rows.stop) + 1))
        if isinstance(rows, Series) or (hasattr(rows, "__iter__") and not isinstance(rows, str)):
            listed = list(rows)
            if listed and all(isinstance(r, (bool, np.bool_)) for r in listed):
                return [i for i, wanted in enumerate(listed) if wanted]
            return [int(r) if self._by_position else self._frame.index.index(r) for r in listed]
        return int(rows) if self._by_position else self._frame.index.index(rows)

    def _names(self, column):
        names = list(self._frame._columns)
        if column is None or (isinstance(column, slice) and not self._by_position):
            return names
        if isinstance(column, slice):
            return names[column]
        if self._by_position:
            return names[column] if not hasattr(column, "__iter__") else [names[c] for c in column]
        return column

    def __getitem__(self, key: Any) -> Any:
        rows, column = self._split(key)
        positions, names = self._positions(rows), self._names(column)
        if isinstance(names, list):
            part = self._frame[names]
            return part._kept(positions) if isinstance(positions, list) else part._row(positions)
        values = self._frame._columns[names]
        if isinstance(positions, list):
            return Series([values[i] for i in positions], [self._frame.index[i] for i in positions], names)
        return values[positions]

    def __setitem__(self, key: Any, value: Any) -> None:
        rows, column = self._split(key)
        if not self._by_position and not isinstance(rows, (slice, Series, list)) and rows not in self._frame.index:
            self._frame.index.append(rows)
            for values, one in zip(self._frame._columns.values(), value):
                values.append(one)
            return
        positions, names = self._positions(rows), self._names(column)
        for name in names if isinstance(names, list) else [names]:
            values = self._frame._columns.setdefault(name, [math.nan] * len(self._frame))
            for i in positions if isinstance(positions, list) else [positions]:
                values[i] = value


class Groups:
    """Rows with the same value of a column."""

    def __init__(self, frame: int, by: Any) -> None:
        names = [by] if isinstance(by, str) else list(by)
        self._groups, self._names = {}, names
        for i in range(len(frame)):
            key = tuple(frame._columns[n][i] for n in names)
            self._groups.setdefault(key[0] if len(names) == 1 else key, []).append(i)
        self._frame = frame

    def __iter__(self) -> Any:
        return (
            (key, self._frame._kept(rows)) for key, rows in sorted(self._groups.items(), key=lambda row: str(row[0]))
        )

    def __len__(self) -> int:
        return len(self._groups)

    def __getitem__(self, name: str) -> Grouped:
        keys = [key for key, _ in self]
        return Grouped(keys, [part[name] for _, part in self], name)

    def size(self) -> Any:
        return Series([len(part) for _, part in self], [key for key, _ in self])

    def head(self, n: int = 5) -> Any:
        """The first rows of each group, where they stood."""
        return self._frame._kept(sorted(i for rows in self._groups.values() for i in rows[:n]))

    def get_group(self, key: Any) -> Any:
        return self._frame._kept(self._groups[key])

    def apply(self, func: Callable, **_: Any) -> Any:
        return Series([func(part) for _, part in self], [key for key, _ in self])

    groups = property(lambda self: dict(self._groups))


class Grouped:
    """One column of groups."""

    def __init__(self, keys: Any, parts: Any, name: str) -> None:
        self._keys, self._parts, self._name = keys, parts, name

    def __getattr__(self, name: str) -> Any:
        def each(*args, **kwargs):
            return Series([getattr(part, name)(*args, **kwargs) for part in self._parts], self._keys, self._name)

        return each

    def apply(self, func: Callable, **_: Any) -> Any:
        return Series([func(part) for part in self._parts], self._keys, self._name)

    agg = apply
