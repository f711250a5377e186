"""pandas: tables of plain Python values, as training scripts read and split them; the package itself wins where it can run.

What is not here says so by name. Files are read; those that are not there come as placeholders (vramscope_data).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from . import tseries
from ._dates import Timestamp, to_datetime
from ._frame import DataFrame
from ._reading import read_csv, read_excel, read_json, read_parquet, read_pickle, read_table
from ._series import Index, Series

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


__version__ = "2.3.3"
NA = NaT = math.nan
options = type("options", (), {"__setattr__": lambda *_: None, "display": type("display", (), {})()})()
__all__ = [
    "DataFrame", "Index", "Series", "Timestamp", "concat", "get_dummies", "isna", "isnull", "merge", "notna", "read_csv", "read_excel",
    "read_json", "read_parquet", "read_pickle", "read_table", "set_option", "to_datetime", "to_numeric", "tseries", "unique",
]  # fmt: skip
__getattr__ = lacks("pandas")


def set_option(*_: Any) -> None:
    """Nothing is shown otherwise."""


def concat(objs: Any, axis: int = 0, ignore_index: bool = False, **_: Any) -> Any:
    """Rows after rows, or columns beside columns."""
    parts = list(objs.values() if isinstance(objs, dict) else objs)
    if all(isinstance(p, Series) for p in parts):
        if axis == 0:
            values = [v for p in parts for v in p.values_list]
            return Series(values, None if ignore_index else [i for p in parts for i in p.index], parts[0].name)
        return DataFrame({p.name if p.name is not None else n: p.values_list for n, p in enumerate(parts)})
    if axis in (1, "columns"):
        made = {}
        for part in parts:
            made |= {part.name: part.values_list} if isinstance(part, Series) else part._columns
        return DataFrame(made, list(parts[0].index))
    names = list(dict.fromkeys(name for p in parts for name in p.columns))
    columns = {n: [v for p in parts for v in p._columns.get(n, [math.nan] * len(p))] for n in names}
    return DataFrame(columns, None if ignore_index else [i for p in parts for i in p.index])


def isna(value: Any) -> Any:
    return value.isna() if hasattr(value, "isna") else value is None or value != value


def notna(value: Any) -> Any:
    return value.notna() if hasattr(value, "notna") else not isna(value)


isnull = isna


def unique(values: Any) -> Any:
    return Series(list(values)).unique()


def merge(left: Any, right: Any, how: str = "inner", on: Any = None, **_: Any) -> Any:
    return left.merge(right, how=how, on=on)


def to_numeric(arg: Any, errors: str = "raise", **_: Any) -> Any:
    return Series([_number(v, errors) for v in arg])


def _number(value, errors):
    try:
        return float(value) if "." in str(value) else int(value)
    except (TypeError, ValueError):
        if errors == "coerce":
            return math.nan
        raise


def get_dummies(data: Any, columns: Sequence[str] | None = None, dtype: Callable = bool, **_: Any) -> Any:
    """A column of truth values for each value of a column of texts."""
    frame = DataFrame({data.name: data.values_list}) if isinstance(data, Series) else data
    made = {}
    for name in frame.columns:
        values = frame._columns[name]
        if (
            columns is not None
            and name not in columns
            or columns is None
            and not any(isinstance(v, str) for v in values)
        ):
            made[name] = values
            continue
        prefix = "" if isinstance(data, Series) else f"{name}_"
        for value in sorted(set(values), key=str):
            made[f"{prefix}{value}"] = [dtype(v == value) for v in values]
    return DataFrame(made, list(frame.index))
