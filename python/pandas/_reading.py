"""Tables from files."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import os
import re
from typing import TYPE_CHECKING

from ._frame import DataFrame
from ._series import ObjectArray  # noqa: F401

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn


_FIRST = 100  # values of a column that are looked at before all are read


def _text(source, encoding=None, compression="infer"):
    if hasattr(source, "read"):
        data = source.read()
        return data if isinstance(data, str) else data.decode(encoding or "utf-8")
    if "://" in str(source):
        from urllib.request import urlopen

        with urlopen(str(source)) as answer:
            return answer.read().decode(encoding or "utf-8", "replace")
    if str(source).endswith(".gz"):
        with gzip.open(source, "rt", encoding=encoding or "utf-8") as file:
            return file.read()
    with open(source, encoding=encoding or "utf-8", newline="") as file:
        return file.read()


def _value(text):
    if text in ("", "NA", "NaN", "nan", "null", "None"):
        return math.nan
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return {"True": True, "False": False}.get(text, text)


def read_csv(
    filepath_or_buffer: Any, sep: str=",", delimiter: str | None=None, header: str="infer", names: Sequence[str] | None=None, index_col: Any=None, usecols: Any=None, nrows: Any=None, skiprows: int=0,
    encoding: str | None=None, quoting: Any=csv.QUOTE_MINIMAL, dtype: Any=None, chunksize: Any=None, na_filter: bool=True, **_: Any
) -> Any:  # fmt: skip
    """Columns are numbers where all their values are."""
    import vramscope_data

    sep = delimiter or sep
    options = repr((sep, header, names, index_col, usecols, nrows, skiprows, encoding, quoting, dtype, _))
    key = _key(filepath_or_buffer, options)
    if key is not None and key in _last:
        return _last[key].copy()
    if not hasattr(filepath_or_buffer, "read") and re.fullmatch(r"(?!\w+://).*\.csv", str(filepath_or_buffer)):
        with open(filepath_or_buffer, "rb"):
            known = vramscope_data.published_tables.repeating(filepath_or_buffer)
        if known is not None and usecols is None and nrows is None:
            return _of_repeating(*known, header, names, skiprows)
    text = _text(filepath_or_buffer, encoding)
    guessed = vramscope_data.is_placeholder(filepath_or_buffer)
    guess = vramscope_data.measures if guessed and vramscope_data.measures.wanted() else vramscope_data.contents
    if guessed and str(filepath_or_buffer).endswith(".csv"):
        sep = ","  # what a placeholder is made with
    if sep is None or sep == r"\s+" or _.get("delim_whitespace"):
        rows = [line.split() for line in text.splitlines() if line.strip()]
    else:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=sep, quoting=quoting) if row]
    rows = rows[skiprows if isinstance(skiprows, int) else len(skiprows) :]
    if header == "infer":
        header = 0 if names is None else None
    if header is None and names is not None and guessed:
        rows = vramscope_data.contents.table(list(names), _said_numbers(dtype, list(names)))
    if header is not None:
        found, rows = rows[header] if rows else [], rows[header + 1 :]
        names = names or found
    width = max(map(len, rows[:100]), default=0)
    names = list(names) if names is not None else list(range(width))
    rows = rows[:nrows]
    columns = dict(zip(names, _turned(rows, len(names))))
    texts = (
        {name for name, kind in dtype.items() if kind is str}
        if isinstance(dtype, dict)
        else set(columns)
        if dtype is str
        else set()
    )
    columns = {name: values if name in texts else _typed(values) for name, values in columns.items()}
    if guessed:
        for name in (n for n in usecols or () if isinstance(n, str) and n not in columns):
            columns[name] = guess.column(name, len(rows))
    if usecols is not None:
        columns = {n: v for i, (n, v) in enumerate(columns.items()) if n in usecols or i in usecols}
    made = DataFrame(columns)
    if guessed:
        made.__dict__["_guess"] = guess.column
    if index_col not in (None, False):
        made = made.set_index(list(columns)[index_col] if isinstance(index_col, int) else index_col)
    if chunksize is None and (key := _key(filepath_or_buffer, options)) is not None:
        _last.clear()
        _last[key] = made.copy()
    return made if chunksize is None else (made[i : i + chunksize] for i in range(0, len(made), chunksize))


def _of_repeating(found, rows, count, header, names, skiprows):
    """A table whose rows come back, without a look at each; whether its file begins with names is as the call says."""
    named = header == 0 or (header == "infer" and names is None)
    columns = ((list(column) * -(-count // len(rows)))[:count] for column in zip(*rows))
    return DataFrame(dict(zip(names or (found if named and not skiprows else range(len(found))), columns)))


_last = {}  # the table that was read last: programs read one file for each part of their data


def _key(path, options):
    """What a table depends on: its file as it is now, and how it is read; None where that is no file."""
    if not isinstance(path, (str, os.PathLike)) or not os.path.isfile(path):
        return None
    about = os.stat(path)
    return os.path.abspath(path), about.st_mtime_ns, about.st_size, options


def _said_numbers(dtype, names):
    """The columns that `dtype` says to hold numbers; columns are meant by name or by place."""
    kinds = dtype if isinstance(dtype, dict) else dict.fromkeys(names, dtype)
    said = {names[key] if isinstance(key, int) and key < len(names) else key: kind for key, kind in kinds.items()}
    return {name for name, kind in said.items() if re.match("u?int|float", getattr(kind, "__name__", str(kind)))}


def _turned(rows, count):
    """So many columns of rows; what a short row lacks is empty."""
    if all(len(row) >= count for row in rows):
        return [list(column) for column in zip(*rows)][:count] if rows else [[] for _ in range(count)]
    return [[row[i] if i < len(row) else "" for row in rows] for i in range(count)]


def _typed(values):
    """A column as numbers where all its values are; whole columns are tried first, since most are of one kind."""
    if not any("_" in value for value in values[:_FIRST]):
        for kind in (int, float):
            try:
                return list(map(kind, values))
            except ValueError:
                pass
    if any(isinstance(_value(value), str) for value in values):
        return [math.nan if value == "" else value for value in values] if "" in values else list(values)
    typed = [_value(value) for value in values]
    return [float(v) for v in typed] if any(isinstance(v, float) for v in typed) else typed


def read_table(path: str, sep: str = "\t", **options: Any) -> Any:
    return read_csv(path, sep=sep, **options)


def read_json(path_or_buf: Any, orient: Any = None, lines: bool = False, **_: Any) -> Any:
    text = _text(path_or_buf)
    if lines or (text.lstrip()[:1] == "{" and "\n{" in text):
        return DataFrame([json.loads(line) for line in text.splitlines() if line.strip()])
    found = json.loads(text)
    if isinstance(found, dict) and all(isinstance(v, dict) for v in found.values()):
        return DataFrame({name: list(column.values()) for name, column in found.items()})
    return DataFrame(found)


def read_pickle(path: str, **_: Any) -> Any:
    import pickle

    with open(path, "rb") as file:
        return pickle.load(file)


def read_parquet(path: str, columns: Sequence[str] | None = None, **_: Any) -> Any:
    """Placeholder rows: what a Parquet file holds is compressed, and nobody here reads it."""
    from pyarrow.parquet import rows_of

    found = rows_of(path)
    return DataFrame({name: values for name, values in found.items() if columns is None or name in columns})


def read_excel(io: Any, **_: Any) -> NoReturn:
    raise ImportError("vramscope's stand-in for pandas reads no Excel files")
