"""A table: columns of the same length, and labels of rows."""

from __future__ import annotations

import linecache
import math
import operator
import re
import sys
from typing import TYPE_CHECKING

import numpy as np

from ._places import Groups, Rows
from ._written import Written
from ._series import Index, ObjectArray, Series, _array, _missing, drawn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Self


_MOST = 65_536  # values that an array keeps


class DataFrame(Written):
    """`_columns` holds a list of values for each name; of a file that nobody has, `_guess` makes those that are asked for."""

    _guess = None

    def __init__(
        self, data: Any = None, index: int | None = None, columns: Sequence[str] | None = None, dtype: Any = None
    ) -> None:
        self.__dict__["_columns"] = _columns_of(data, columns, index)
        count = len(next(iter(self._columns.values()), ()))
        for name, values in self._columns.items():
            if len(values) != count:
                raise ValueError("All arrays must be of the same length")
        self.__dict__["index"] = Index(range(count) if index is None else index)

    @property
    def plot(self) -> Any:
        """Charts, which are not drawn."""
        from vramscope_absent import Inert

        return Inert("matplotlib.pandas.plot")

    @classmethod
    def from_dict(
        cls, data: dict, orient: str = "columns", dtype: Any = None, columns: Sequence[str] | None = None
    ) -> Self:
        """A table of columns, or of rows by their labels."""
        if orient == "columns":
            lists = [len(v) for v in data.values() if isinstance(v, (list, tuple))] or [0]
            rows = [v for v in data.values() if isinstance(v, dict)]
            if not rows:
                return cls({name: list(v) if hasattr(v, "__iter__") else [v] * lists[0] for name, v in data.items()})
            labels = list(dict.fromkeys(label for row in rows for label in row))
            return cls({name: [row.get(label, math.nan) for label in labels] for name, row in data.items()}, labels)
        rows = [row if isinstance(row, dict) else dict(zip(columns or range(len(row)), row)) for row in data.values()]
        return cls(rows, list(data))

    columns = property(lambda self: Index(self._columns))
    shape = property(lambda self: (len(self), len(self._columns)))
    size = property(lambda self: len(self) * len(self._columns))
    empty = property(lambda self: self.size == 0)
    ndim = 2
    dtypes = property(lambda self: Series([self[n].dtype for n in self._columns], list(self._columns)))
    values = property(lambda self: self.to_numpy())
    iloc = property(lambda self: Rows(self, True))
    loc = at = property(lambda self: Rows(self, False))
    iat = iloc
    T = property(
        lambda self: DataFrame(
            {label: [v[i] for v in self._columns.values()] for i, label in enumerate(self.index)}, list(self._columns)
        )
    )

    @columns.setter
    def columns(self, names: Sequence[str]) -> None:
        self.__dict__["_columns"] = dict(zip(names, self._columns.values()))

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Any:
        return iter(self._columns)

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__.get("_columns", ()) or (self._guess and not name.startswith("_") and not _calls(name)):
            return self[name]
        return _missing("DataFrame")(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._columns:
            self[name] = value
        elif name == "columns":
            type(self).columns.fset(self, value)
        else:
            self.__dict__[name] = Index(value) if name == "index" else value

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, Series):
            return self._kept([i for i, wanted in enumerate(key) if wanted])
        if isinstance(key, slice):
            return self._kept(range(len(self))[key])
        if isinstance(key, list):
            if key and all(isinstance(k, bool) for k in key):
                return self._kept([i for i, wanted in enumerate(key) if wanted])
            return self._of({name: self._column(name) for name in key}, self.index)
        column = Series((), (), key)
        # what is put into a column is in its table, as before pandas 3
        column.values_list, column.index = self._column(key), self.index
        return column

    def _column(self, name):
        if name not in self._columns:
            if self._guess is None or not isinstance(name, str):
                raise KeyError(name)
            self._columns[name] = self._guess(name, len(self))
        return self._columns[name]

    def _of(self, columns, index):
        """A table of the same file."""
        made = DataFrame(columns, index)
        made.__dict__["_guess"] = self._guess
        return made

    def __setitem__(self, key: Any, value: Any) -> None:
        names = key if isinstance(key, list) else [key]
        parts = list(value._columns.values()) if isinstance(value, DataFrame) else None
        for number, name in enumerate(names):
            own = (
                parts[number]
                if parts is not None
                else value[:, number]
                if len(names) > 1 and hasattr(value, "shape")
                else value
            )
            many = hasattr(own, "__iter__") and not isinstance(own, str)
            self._columns[name] = list(own) if many else [own] * max(len(self), 1)
        if len(self.index) == 0:
            self.__dict__["index"] = Index(range(len(self._columns[names[0]])))

    def __delitem__(self, name: str) -> None:
        del self._columns[name]

    def _kept(self, positions):
        positions = list(positions)
        if positions == list(range(len(self))):
            return self.copy()
        pick = operator.itemgetter(*positions) if len(positions) > 1 else lambda values: [values[i] for i in positions]
        columns = {name: list(pick(values)) for name, values in self._columns.items()}
        return self._of(columns, [self.index[i] for i in positions])

    def _row(self, position):
        return Series(
            [values[position] for values in self._columns.values()], list(self._columns), self.index[position]
        )

    def iterrows(self) -> Any:
        return ((label, self._row(i)) for i, label in enumerate(self.index))

    def itertuples(self, index: bool = True, name: str = "Pandas") -> Iterator[Any]:
        from collections import namedtuple

        made = namedtuple(name or "Pandas", [*(["Index"] if index else []), *map(str, self._columns)], rename=True)
        for i, label in enumerate(self.index):
            yield made(*([label] if index else []), *(values[i] for values in self._columns.values()))

    def items(self) -> Any:
        return ((name, self[name]) for name in self._columns)

    def keys(self) -> Any:
        return self.columns

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key in self._columns else default

    def pop(self, item: Any) -> Any:
        found = self[item]
        del self._columns[item]
        return found

    def copy(self, deep: bool = True) -> DataFrame:
        return self._of({name: list(values) for name, values in self._columns.items()}, self.index)

    def head(self, n: int = 5) -> DataFrame:
        return self._kept(range(min(n, len(self))))

    def tail(self, n: int = 5) -> DataFrame:
        return self._kept(range(max(len(self) - n, 0), len(self)))

    def sample(self, n: int | None = None, frac: Any = None, random_state: int | None = None, **_: Any) -> DataFrame:
        return self._kept(drawn(len(self), n, frac, random_state))

    def reset_index(self, drop: bool = False, inplace: bool = False, **_: Any) -> Any:
        made = {} if drop else {"index": list(self.index)}
        return self._become(DataFrame(made | self._columns), inplace)

    def set_index(self, keys: Any, inplace: bool = False, **_: Any) -> Any:
        made = DataFrame({n: v for n, v in self._columns.items() if n != keys}, self._columns[keys])
        return self._become(made, inplace)

    def _become(self, made, inplace):
        if not inplace:
            return made
        self.__dict__.update(made.__dict__)
        return None

    def drop(
        self,
        labels: Any = None,
        axis: int = 0,
        columns: Sequence[str] | None = None,
        index: int | None = None,
        inplace: bool = False,
        **_: Any,
    ) -> Any:
        gone = columns if columns is not None else labels if axis in (1, "columns") else None
        if gone is not None:
            gone = gone if isinstance(gone, (list, tuple, set)) else [gone]
            return self._become(
                DataFrame({n: v for n, v in self._columns.items() if n not in gone}, self.index), inplace
            )
        rows = index if index is not None else labels
        rows = set(rows if hasattr(rows, "__iter__") and not isinstance(rows, str) else [rows])
        return self._become(self._kept([i for i, label in enumerate(self.index) if label not in rows]), inplace)

    def rename(self, columns: Sequence[str] | None = None, inplace: bool = False, **_: Any) -> Any:
        table = columns if callable(columns) else (columns or {}).get
        made = {(table(n) if callable(columns) else table(n, n)): v for n, v in self._columns.items()}
        return self._become(DataFrame(made, self.index), inplace)

    def dropna(self, subset: Any = None, inplace: bool = False, **_: Any) -> Any:
        names = list(self._columns) if subset is None else [subset] if isinstance(subset, str) else subset
        kept = [i for i in range(len(self)) if not any(_is_nan(self._columns[n][i]) for n in names)]
        return self._become(self._kept(kept), inplace)

    def fillna(self, value: Any, inplace: bool = False, **_: Any) -> Any:
        made = {n: [value if _is_nan(v) else v for v in values] for n, values in self._columns.items()}
        return self._become(DataFrame(made, self.index), inplace)

    def drop_duplicates(self, subset: Any = None, inplace: bool = False, **_: Any) -> Any:
        names = list(self._columns) if subset is None else [subset] if isinstance(subset, str) else subset
        first = {}
        for i in range(len(self)):
            first.setdefault(tuple(self._columns[n][i] for n in names), i)
        return self._become(self._kept(first.values()), inplace)

    def isna(self) -> DataFrame:
        return DataFrame({n: [_is_nan(v) for v in values] for n, values in self._columns.items()}, self.index)

    isnull = isna

    def sort_values(self, by: Any, ascending: bool = True, inplace: bool = False, **_: Any) -> Any:
        names = [by] if isinstance(by, str) else by
        order = sorted(range(len(self)), key=lambda i: [self._columns[n][i] for n in names], reverse=not ascending)
        return self._become(self._kept(order), inplace)

    def sort_index(self, **_: Any) -> DataFrame:
        return self._kept(sorted(range(len(self)), key=lambda i: self.index[i]))

    def apply(self, func: Callable, axis: int = 0, **_: Any) -> Any:
        if axis in (1, "columns"):
            return Series([func(self._row(i)) for i in range(len(self))], self.index)
        return Series([func(self[n]) for n in self._columns], list(self._columns))

    def assign(self, **columns: Any) -> DataFrame:
        made = self.copy()
        for name, value in columns.items():
            made[name] = value(made) if callable(value) else value
        return made

    def merge(self, right: Any, how: str = "inner", on: Any = None, **_: Any) -> DataFrame:
        names = [on] if isinstance(on, str) else on or [n for n in self._columns if n in right._columns]
        rows = {}
        for i in range(len(right)):
            rows.setdefault(tuple(right._columns[n][i] for n in names), []).append(i)
        pairs = []
        for i in range(len(self)):
            found = rows.get(tuple(self._columns[n][i] for n in names), [None] if how in ("left", "outer") else [])
            pairs += [(i, j) for j in found]
        made = {n: [v[i] for i, _ in pairs] for n, v in self._columns.items()}
        for n, v in right._columns.items():
            if n not in names:
                made[n if n not in made else f"{n}_y"] = [math.nan if j is None else v[j] for _, j in pairs]
        return DataFrame(made)

    def groupby(self, by: Any, **_: Any) -> Any:
        return Groups(self, by)

    def _each(self, name):
        numbers = {n: v for n, v in self._columns.items() if not any(isinstance(x, str) for x in v)}
        return Series([getattr(Series(v), name)() for v in numbers.values()], list(numbers))

    def mean(self, *_: Any, **__: Any) -> Any:
        return self._each("mean")

    def std(self, *_: Any, **__: Any) -> Any:
        return self._each("std")

    def sum(self, *_: Any, **__: Any) -> Any:
        return self._each("sum")

    def min(self, *_: Any, **__: Any) -> Any:
        return self._each("min")

    def max(self, *_: Any, **__: Any) -> Any:
        return self._each("max")

    def describe(self, **_: Any) -> DataFrame:
        return DataFrame(
            {n: [getattr(self[n], f)() for f in ("mean", "std", "min", "max")] for n in self._each("mean").index}
        )

    def info(self, **_: Any) -> None:
        print(f"<class 'pandas.DataFrame'>, {len(self)} entries, columns: {', '.join(map(str, self._columns))}")

    def select_dtypes(self, include: Any = None, **_: Any) -> DataFrame:
        return DataFrame({n: v for n, v in self._columns.items() if not any(isinstance(x, str) for x in v)}, self.index)

    def astype(self, dtype: Any, **_: Any) -> DataFrame:
        made = self.copy()
        for name in self._columns if not isinstance(dtype, dict) else dtype:
            made[name] = self[name].astype(dtype[name] if isinstance(dtype, dict) else dtype)
        return made

    def to_numpy(self, dtype: Any = None, **_: Any) -> Any:
        columns = list(self._columns.values())
        if len(self) * len(columns) > _MOST and (kinds := {k for c in columns for k in set(map(type, c))}) <= {
            int,
            float,
        }:
            made = np.zeros((len(self), len(columns)), float if float in kinds else int)  # too many to keep
            return made if dtype is None else made.astype(dtype)
        rows = [list(row) for row in zip(*columns)]
        if any(isinstance(v, str) for row in rows[:50] for v in row):
            return ObjectArray([ObjectArray(row) for row in rows])
        made = np.array(rows)
        return made if dtype is None else made.astype(dtype)

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self.to_numpy()

    def to_dict(self, orient: str = "dict", **_: Any) -> dict | list:
        if orient == "records":
            return [dict(zip(self._columns, row)) for row in zip(*self._columns.values())]
        if orient == "list":
            return {n: list(v) for n, v in self._columns.items()}
        return {n: dict(zip(self.index, v)) for n, v in self._columns.items()}


def _calls(name):
    """Whether the line that asks a table for a name calls it: then it is no column."""
    frame = sys._getframe(2)
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno, frame.f_globals)
    return re.search(rf"\.{name}\b(?!\s*\()", line) is None


def _is_nan(value):
    return value is None or value != value


def _columns_of(data, columns, index):
    if data is None:
        return {name: [math.nan] * len(index or ()) for name in columns or ()}
    if isinstance(data, DataFrame):
        return {n: list(v) for n, v in data._columns.items() if columns is None or n in columns}
    if isinstance(data, dict):
        count = max((len(v) for v in data.values() if hasattr(v, "__len__") and not isinstance(v, str)), default=1)
        many = {
            n: list(v) if hasattr(v, "__iter__") and not isinstance(v, str) else [v] * count for n, v in data.items()
        }
        return many if columns is None else {n: many.get(n, [math.nan] * count) for n in columns}
    rows = data.tolist() if hasattr(data, "tolist") else list(data)
    if rows and isinstance(rows[0], dict):
        names = columns or list(dict.fromkeys(n for row in rows for n in row))
        return {n: [row.get(n, math.nan) for row in rows] for n in names}
    if rows and isinstance(rows[0], Series):
        return {n: [row[n] for row in rows] for n in rows[0].index}
    rows = [row if isinstance(row, (list, tuple)) else [row] for row in rows]
    names = list(columns) if columns is not None else list(range(len(rows[0]) if rows else 0))
    return {n: [row[i] for row in rows] for i, n in enumerate(names)}


__all__ = ["DataFrame", "_array"]
