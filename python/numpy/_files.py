"""Tables as text, and several arrays in one file."""

from __future__ import annotations

import functools
import importlib
import io
import json
import os
import zipfile
from typing import TYPE_CHECKING

from torch._conversions import guess_rows
from torch._stand_ins import note

from ._array import MOST_VALUES, Texts, ndarray
from ._make import array, asarray
from ._make import load as _load_one
from ._make import save, zeros

if TYPE_CHECKING:
    from typing import Any, Self

    from numpy.typing import ArrayLike, DTypeLike


_PACKERS = {"gz": "gzip", "bz2": "bz2", "xz": "lzma"}


def _lines_of(name, delimiter):
    """The lines of a text file, also of one that is compressed; a file that is missing is a table."""
    packer = _PACKERS.get(str(name).rpartition(".")[2])
    packer = None if packer is None else importlib.import_module(packer)
    if not os.path.exists(name):
        import vramscope_data

        def table(spec):
            known = vramscope_data.published_tables.of(str(name)) if spec is None and delimiter == "," else None
            text, said = known or vramscope_data.contents.numbers(spec, delimiter or " ")
            return (text if packer is None else packer.compress(text)), said

        vramscope_data.supply(name, table)
    return open(name, encoding="utf-8") if packer is None else packer.open(name, "rt", encoding="utf-8")


def _of_numbers(file, delimiter):
    """The lines of an open file; of one that nobody has, a table."""
    import vramscope_data

    if not vramscope_data.is_placeholder(getattr(file, "name", None)):
        return file
    return vramscope_data.contents.numbers(None, delimiter or " ")[0].decode().splitlines()


def loadtxt(
    fname: Any,
    dtype: DTypeLike = float,
    comments: str = "#",
    delimiter: str | None = None,
    skiprows: int = 0,
    usecols: Any = None,
    unpack: bool = False,
    ndmin: int = 0,
    max_rows: int | None = None,
    **_: Any,
) -> Any:
    plain = isinstance(fname, (str, bytes)) or hasattr(fname, "__fspath__")
    lines = _lines_of(fname, delimiter) if plain else _of_numbers(fname, delimiter)
    rows, texts, read = [], ndarray((), dtype or float).dtype.kind in "UO", functools.lru_cache(16)(_numbers)
    for n, line in enumerate(lines):
        line = line.decode() if isinstance(line, bytes) else line
        line = line.split(comments)[0].strip() if comments else line.strip()
        if n < skiprows or not line or (max_rows is not None and len(rows) >= max_rows):
            continue
        if usecols is None and not texts:
            rows.append(read(line, delimiter))  # of a table that stands in for another the same rows come back
            continue
        cells = line.split(delimiter)
        if usecols is not None:
            cells = [cells[c] for c in ([usecols] if isinstance(usecols, int) else usecols)]
        rows.append(cells if texts else [_number(c) for c in cells])
    if len(rows) * len(rows[0] if rows else ()) > MOST_VALUES:
        kept = Texts(cell for row in rows for cell in row) if texts else None
        made = ndarray((len(rows), len(rows[0])), dtype, kept)
    else:
        made = array(rows, dtype=dtype)
    if made.ndim == 2 and 1 in made.shape and ndmin < 2:
        made = made.reshape(-1)
    return made.T if unpack else made


def _numbers(line, delimiter):
    return [_number(cell) for cell in line.split(delimiter)]


def _number(text):
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return float("nan")


genfromtxt = loadtxt


def savetxt(
    fname: Any, X: Any, fmt: str = "%.18e", delimiter: str = " ", newline: str = "\n", header: str = "", **_: Any
) -> None:
    X = asarray(X)
    rows = X.reshape(-1, 1) if X.ndim < 2 else X
    text = ("# " + header + newline if header else "") + "".join(
        delimiter.join(
            fmt % v if isinstance(fmt, str) else f % v for v, f in zip(row, fmt if not isinstance(fmt, str) else row)
        )
        + newline
        for row in rows.tolist()
    )
    if hasattr(fname, "write"):
        fname.write(text)
    else:
        with open(fname, "w", encoding="utf-8") as file:
            file.write(text)


def savez(file: Any, *args: Any, **kwds: Any) -> None:
    """A .npz file: one .npy file for each array."""
    named = {**{f"arr_{i}": a for i, a in enumerate(args)}, **kwds}
    if isinstance(file, str) and not file.endswith(".npz"):
        file += ".npz"
    with zipfile.ZipFile(file, "w") as archive:
        for name, value in named.items():
            part = io.BytesIO()
            save(part, value)
            archive.writestr(name + ".npy", part.getvalue())


savez_compressed = savez


_FEW = 16  # arrays of a file that are told one by one


class NpzFile:
    """Arrays of a .npz file by name, read when asked for."""

    def __init__(self, file: Any) -> None:
        self._archive = zipfile.ZipFile(file)
        names = self._archive.namelist()
        from vramscope_data import contents, published_arrays, readers

        self._waits = names == [contents.MARK]
        self._known = published_arrays.of(self._archive.filename) if self._waits else {}
        self.files = list(self._known) or readers.keys() if self._waits else [n.removesuffix(".npy") for n in names]

    def __getitem__(self, name: str) -> Any:
        if self._waits:
            return _guessed(name, self._known.get(name), len(self._known) > _FEW)
        with self._archive.open(name + ".npy") as part:
            return _load_one(io.BytesIO(part.read()), allow_pickle=True)

    def __contains__(self, name: str) -> bool:
        return self._waits or name in self.files

    def __iter__(self) -> Any:
        return iter(self.files)

    keys = lambda self: list(self.files)
    items = lambda self: [(n, self[n]) for n in self.files]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        self._archive.close()


_GUESSED = (1000, 100)  # rows and columns of an array that nobody describes


def _guessed(name, known=None, is_many=False):
    """An array of a file that nobody has, as it is published: else of labels a number for each row, of pictures their pixels,
    of anything else a row of numbers. Of a file with many arrays the report says once what it is."""
    from vramscope_data import contents, published_arrays

    numbered = (_GUESSED[:1], "int64") if contents.is_numbered(name) else None
    made = zeros(*(known or numbered or published_arrays.usual(name) or (_GUESSED, "float32")))
    if not is_many:
        note("placeholder_array", "name", name, shape=" x ".join(map(str, made.shape)))
    if known is None and made.shape:
        guess_rows(made.shape[0], name)
    return made


def load(file: Any, mmap_mode: Any = None, allow_pickle: bool = False, **_: Any) -> Any:
    """An array from a .npy file, several from a .npz file."""
    if hasattr(file, "read"):
        start = file.read(4)
        file.seek(-len(start), 1)
    else:
        with open(file, "rb") as opened:
            start = opened.read(4)
    if start[:2] == b"PK":
        return NpzFile(file)
    if mmap_mode and start == b"\x93NUM" and not hasattr(file, "read"):
        return _load_one(file)
    return _load_one(file, mmap_mode, allow_pickle)


def array_repr(arr: ArrayLike, *_: Any, **__: Any) -> str:
    return repr(asarray(arr))


def array_str(a: ArrayLike, max_line_width: int | None = None, precision: int | None = None, *_: Any) -> str:
    return array2string(a, max_line_width, precision)


def array2string(
    a: ArrayLike, max_line_width: int | None = None, precision: int | None = None, *_: Any, **options: Any
) -> str:
    from . import _printing

    around = {name: options.pop(name) for name in ("separator", "prefix", "suffix") if name in options}
    with _printing.printoptions(linewidth=max_line_width, precision=precision, **options):
        return _printing.array2string(asarray(a), **around)


def format_float_positional(x: ArrayLike, precision: str | None = None, *_: Any, **__: Any) -> Any:
    return json.dumps(round(float(x), precision) if precision is not None else float(x))
