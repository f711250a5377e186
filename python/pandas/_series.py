"""A column: values in order, each with a label."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


class Index(list):
    """Labels."""

    values = property(lambda self: _array(list(self)))

    def tolist(self) -> list:
        return list(self)

    def get_loc(self, label: str) -> Any:
        return self.index(label)

    to_list = tolist


class Series:
    """Values, their labels and a name."""

    def __init__(
        self, data: Sequence = (), index: int | None = None, name: str | None = None, dtype: Any = None
    ) -> None:
        if isinstance(data, dict):
            index, data = list(data), list(data.values())
        if isinstance(data, Series):
            index, data = data.index if index is None else index, data.values_list
        self.values_list = (
            list(data) if hasattr(data, "__iter__") and not isinstance(data, str) else [data] * len(index or [0])
        )
        self.index = Index(range(len(self.values_list)) if index is None else index)
        self.name = name

    @property
    def plot(self) -> Any:
        """Draws nothing, as matplotlib does here."""
        from vramscope_absent import Inert

        return Inert("matplotlib.pandas.plot")

    @property
    def hist(self) -> Any:
        return self.plot.hist

    def _like(self, values):
        return Series(values, self.index, self.name)

    values = property(lambda self: _array(self.values_list))
    array = values
    shape = property(lambda self: (len(self),))
    size = property(lambda self: len(self))
    ndim = 1
    empty = property(lambda self: len(self) == 0)
    dtype = property(
        lambda self: np.dtype(object) if any(isinstance(v, str) for v in self.values_list) else self.values.dtype
    )
    iloc = property(lambda self: _ByPosition(self))
    loc = at = property(lambda self: _ByLabel(self))
    str = property(lambda self: _Texts(self))
    T = property(lambda self: self)

    def __len__(self) -> int:
        return len(self.values_list)

    def __iter__(self) -> Any:
        return iter(self.values_list)

    def __contains__(self, label: str) -> bool:
        return label in self.index

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, Series):
            return self._kept([i for i, wanted in enumerate(key) if wanted])
        if isinstance(key, slice):
            return self._kept(range(len(self))[key])
        if isinstance(key, list):
            return self._kept([self.index.index(k) for k in key])
        return self.values_list[self.index.index(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, Series):
            positions = [i for i, wanted in enumerate(key) if wanted]
        elif isinstance(key, slice):
            positions = range(len(self))[key]
        else:
            positions = [self.index.index(k) for k in (key if isinstance(key, list) else [key])]
        many = hasattr(value, "__iter__") and not isinstance(value, str)
        for i, one in zip(positions, value if many else [value] * len(positions)):
            self.values_list[i] = one

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.__dict__.get("index", ()):
            return _missing("Series")(name)
        return self[name]

    def _kept(self, positions):
        return Series([self.values_list[i] for i in positions], [self.index[i] for i in positions], self.name)

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self.values

    def to_numpy(self, dtype: Any = None, **_: Any) -> Any:
        made = self.values
        return made if dtype is None else made.astype(dtype)

    def tolist(self) -> list:
        return list(self.values_list)

    to_list = tolist

    def to_dict(self) -> dict:
        return dict(zip(self.index, self.values_list))

    def keys(self) -> Index:
        return self.index

    def items(self) -> Any:
        return zip(self.index, self.values_list)

    def copy(self, deep: bool = True) -> Series:
        return self._like(list(self.values_list))

    def map(self, arg: Any, na_action: Any = None) -> Series:
        function = arg if callable(arg) else lambda v: arg.get(v, math.nan)
        return self._like([function(v) for v in self.values_list])

    def apply(self, func: Callable, convert_dtype: Any = None, args: Sequence = (), **kwargs: Any) -> Series:
        return self._like([func(v, *args, **kwargs) for v in self.values_list])

    def replace(self, to_replace: Any, value: Any = None, **_: Any) -> Series:
        table = to_replace if isinstance(to_replace, dict) else {to_replace: value}
        return self._like([table.get(v, v) for v in self.values_list])

    def astype(self, dtype: Any, **_: Any) -> Series:
        name = getattr(dtype, "__name__", None) or str(dtype)
        make = (
            str_ if "str" in name or "object" in name else float if "float" in name else bool if "bool" in name else int
        )
        return self._like([make(v) for v in self.values_list])

    def isna(self) -> Series:
        return self._like([v is None or v != v for v in self.values_list])

    isnull = isna

    def notna(self) -> Series:
        return self._like([not (v is None or v != v) for v in self.values_list])

    notnull = notna

    def fillna(self, value: Any, **_: Any) -> Series:
        return self._like([value if v is None or v != v else v for v in self.values_list])

    def dropna(self, **_: Any) -> Any:
        return self[self.notna()]

    def isin(self, values: Any) -> Series:
        wanted = set(values)
        return self._like([v in wanted for v in self.values_list])

    def unique(self) -> Any:
        return _array(list(dict.fromkeys(self.values_list)))

    def nunique(self, dropna: bool = True) -> int:
        return len(set(self.values_list))

    def value_counts(self, normalize: bool = False, **_: Any) -> Series:
        counts = {}
        for value in self.values_list:
            counts[value] = counts.get(value, 0) + 1
        rows = sorted(counts.items(), key=lambda row: -row[1])
        share = len(self) if normalize else 1
        return Series([n / share if normalize else n for _, n in rows], [v for v, _ in rows], "count")

    def sum(self, **_: Any) -> Any:
        return sum(v for v in self.values_list if v == v)

    def mean(self, **_: Any) -> Any:
        return self.sum() / max(sum(v == v for v in self.values_list), 1)

    def std(self, ddof: int = 1, **_: Any) -> Any:
        mean = self.mean()
        return math.sqrt(sum((v - mean) ** 2 for v in self.values_list) / max(len(self) - ddof, 1))

    def min(self, **_: Any) -> Any:
        return min(self.values_list)

    def max(self, **_: Any) -> Any:
        return max(self.values_list)

    def median(self, **_: Any) -> Any:
        ordered = sorted(self.values_list)
        middle = len(ordered) // 2
        return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2

    def quantile(self, q: float = 0.5, **_: Any) -> Any:
        ordered = sorted(self.values_list)
        return ordered[round(q * (len(ordered) - 1))]

    def any(self, **_: Any) -> bool:
        return any(self.values_list)

    def all(self, **_: Any) -> bool:
        return all(self.values_list)

    def idxmax(self, **_: Any) -> Any:
        return self.index[self.values_list.index(self.max())]

    def argmax(self, **_: Any) -> Any:
        return self.values_list.index(self.max())

    def cumsum(self, **_: Any) -> Series:
        total, made = 0, []
        for value in self.values_list:
            total += value
            made.append(total)
        return self._like(made)

    def shift(self, periods: int = 1, **_: Any) -> Series:
        return self._like(([math.nan] * periods + self.values_list)[: len(self)])

    def head(self, n: int = 5) -> Series:
        return self._kept(range(min(n, len(self))))

    def tail(self, n: int = 5) -> Series:
        return self._kept(range(max(len(self) - n, 0), len(self)))

    def sample(self, n: int | None = None, frac: Any = None, random_state: int | None = None, **_: Any) -> Series:
        return self._kept(drawn(len(self), n, frac, random_state))

    def sort_values(self, ascending: bool = True, **_: Any) -> Series:
        return self._kept(sorted(range(len(self)), key=lambda i: self.values_list[i], reverse=not ascending))

    def reset_index(self, drop: bool = False, **_: Any) -> Series:
        return Series(self.values_list, None, self.name)

    def to_list_of(self, kind: Callable) -> list:
        return [kind(v) for v in self.values_list]

    def __invert__(self) -> Series:
        return self._like([not v for v in self.values_list])

    def __neg__(self) -> Series:
        return self._like([-v for v in self.values_list])

    def __repr__(self) -> str:
        shown = [f"{label}    {value}" for label, value in list(self.items())[:10]]
        return "\n".join([*shown, f"Name: {self.name}, Length: {len(self)}"])

    __hash__ = object.__hash__


str_ = str


def _operation(function, swapped=False):
    def apply(self, other):
        others = (
            list(other) if isinstance(other, (Series, list, tuple)) or hasattr(other, "shape") else [other] * len(self)
        )
        pairs = zip(others, self.values_list) if swapped else zip(self.values_list, others)
        return self._like([function(a, b) for a, b in pairs])

    return apply


for _name in "add sub mul truediv floordiv mod pow and or xor".split():
    _function = getattr(operator, f"{_name}_" if _name in ("and", "or") else _name)
    setattr(Series, f"__{_name}__", _operation(_function))
    setattr(Series, f"__r{_name}__", _operation(_function, True))
for _name in "eq ne lt le gt ge".split():
    setattr(Series, f"__{_name}__", _operation(getattr(operator, _name)))


class _Texts:
    """The text functions of a column."""

    def __init__(self, series: Any) -> None:
        self._series = series

    def __getattr__(self, name: str) -> Any:
        def each(*args, **kwargs):
            return self._series._like([getattr(str_(v), name)(*args, **kwargs) for v in self._series])

        return each

    def len(self) -> Any:
        return self._series._like([len(v) for v in self._series])

    def contains(self, pat: Any, case: bool = True, regex: bool = True, na: bool = False, **_: Any) -> Any:
        import re

        found = re.compile(pat if regex else re.escape(pat), 0 if case else re.I)
        return self._series._like([bool(found.search(str_(v))) for v in self._series])

    def replace(self, pat: Any, repl: Any, regex: bool = False, **_: Any) -> Any:
        import re

        return self._series._like([re.sub(pat, repl, v) if regex else v.replace(pat, repl) for v in self._series])

    def __getitem__(self, key: Any) -> Any:
        return self._series._like([v[key] for v in self._series])


class _ByPosition:
    def __init__(self, series: Any) -> None:
        self._series = series

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._series._kept(range(len(self._series))[key])
        if hasattr(key, "__iter__"):
            return self._series._kept([int(i) for i in key])
        return self._series.values_list[key]


class _ByLabel:
    def __init__(self, series: Any) -> None:
        self._series = series

    def __getitem__(self, key: Any) -> Any:
        return self._series[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._series.values_list[self._series.index.index(key)] = value


def drawn(count: int, n: int, frac: Any, random_state: int | None) -> Any:
    """Positions drawn without putting back."""
    import random

    wanted = n if n is not None else round(count * (frac or (1 / count if count else 0)))
    return random.Random(random_state if isinstance(random_state, int) else None).sample(
        range(count), min(wanted, count)
    )


_NUMBERS = {int, float, bool}


def _array(values):
    if not set(map(type, values)) <= _NUMBERS and any(
        not isinstance(v, (int, float, bool)) and not hasattr(v, "dtype") for v in values
    ):
        return ObjectArray(values)
    return np.array(values)


class ObjectArray(list):
    """Values of any kind: what an array of objects is used for."""

    shape = property(lambda self: (len(self),))
    size = property(lambda self: len(self))
    ndim, dtype = 1, "object"

    def tolist(self) -> list:
        return list(self)

    def astype(self, dtype: Any, **_: Any) -> Any:
        """Numbers, row by row where the array has rows; a text that is no number raises ValueError."""
        kind = float if "float" in str(dtype) else int
        return np.array([[kind(v) for v in row] if isinstance(row, list) else kind(row) for row in self]).astype(dtype)

    def __getitem__(self, key: Any) -> Any:
        if hasattr(key, "__iter__"):
            return ObjectArray([list.__getitem__(self, int(i)) for i in key])
        found = super().__getitem__(key)
        return ObjectArray(found) if isinstance(key, slice) else found


def _missing(kind):
    return lacks(f"pandas.{kind}")
