"""scipy.sparse: matrices as lists of their entries; what is made from an array without values is an array of that shape."""

import pickle
import sys
from typing import Any

import numpy as np
from numpy import ndarray
from torch._stand_ins import lacks, note

_FORMATS = "coo csr csc lil dok dia bsr".split()


def _values(array):
    """The values of a small array in rows, or None."""
    return array.tolist() if array._values is not None else None


class spmatrix:
    """Entries as {(row, column): value}; `_dense` instead where nobody knows them."""

    format = "coo"

    def __init__(self, arg: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> None:
        self._dense, entries = None, {}
        if isinstance(arg, spmatrix):
            shape, entries, self._dense = shape or arg.shape, arg._entries, arg._dense
            dtype = dtype or arg.dtype
        elif isinstance(arg, tuple) and len(arg) == 2 and isinstance(arg[1], tuple):
            data, (rows, columns) = arg
            rows, columns = (np.asarray(part).tolist() for part in (rows, columns))
            dtype = dtype or np.asarray(data).dtype
            for row, column, value in zip(rows, columns, np.asarray(data).tolist()):
                entries[row, column] = entries.get((row, column), 0) + value
            shape = shape or (max(rows, default=-1) + 1, max(columns, default=-1) + 1)
        elif isinstance(arg, tuple) and len(arg) == 2:
            shape = arg
        elif isinstance(arg, tuple):
            data, indices, indptr = (np.asarray(part).tolist() for part in arg)
            dtype = dtype or np.asarray(arg[0]).dtype
            lines = [(line, at) for line in range(len(indptr) - 1) for at in range(indptr[line], indptr[line + 1])]
            byrow = self.format != "csc"
            entries = {(line, indices[at]) if byrow else (indices[at], line): data[at] for line, at in lines}
            shape = shape or (len(indptr) - 1, max(indices, default=-1) + 1)
        else:
            array = np.atleast_2d(np.asarray(arg))
            shape, dtype, rows = array.shape, dtype or array.dtype, _values(array)
            if rows is None:
                note("data_dependent_size", "op", "scipy.sparse")
                self._dense = array
            else:
                if array.dtype.kind in "US" and np.dtype(dtype).kind not in "USO":  # numbers as they were read
                    rows = [[float(v) for v in row] for row in rows]
                entries = {(i, j): v for i, row in enumerate(rows) for j, v in enumerate(row) if v}
        self.shape, self.dtype, self._entries = tuple(map(int, shape)), np.dtype(dtype or "float64"), entries

    def __setstate__(self, state: dict[str, Any]) -> None:
        """What SciPy's own pickles hold: entries with their places, rows packed or not, and the shape."""
        if "_entries" in state:
            self.__dict__.update(state)
            return
        data = state.get("data")
        places = (
            ("indices", "indptr")
            if "indptr" in state
            else tuple(n for n in ("row", "col") if n in state) or ("coords",)
        )
        if data is None or any(name not in state for name in places):
            raise TypeError(f"a pickled {type(self).__name__} of a kind that vramscope does not read")
        found = [state[name] for name in places]
        arg = (data, *found) if "indptr" in state else (data, tuple(found) if len(found) == 2 else found[0])
        self.__init__(arg, state.get("_shape") or state.get("shape"))

    def _made(self, entries, shape=None, dtype=None, dense=None):
        made = type(self)(shape or self.shape, dtype=dtype or self.dtype)
        made._entries, made._dense = entries, dense
        return made

    ndim = 2
    nnz = property(lambda self: len(self._entries))
    getnnz = lambda self, axis=None: self.nnz
    T = property(lambda self: self.transpose())
    _order = property(lambda self: sorted(self._entries, key=(lambda at: at[::-1]) if self.format == "csc" else None))
    row = property(lambda self: np.array([row for row, _ in self._order], "int32"))
    col = property(lambda self: np.array([column for _, column in self._order], "int32"))
    data = property(lambda self: np.array([self._entries[at] for at in self._order], self.dtype))
    coords = property(lambda self: (self.row, self.col))
    indices = property(lambda self: self.row if self.format == "csc" else self.col)

    @property
    def indptr(self) -> np.ndarray:
        axis = self.format == "csc"
        counts = [0] * (self.shape[axis] + 1)
        for at in self._entries:
            counts[at[axis] + 1] += 1
        for i in range(1, len(counts)):
            counts[i] += counts[i - 1]
        return np.array(counts, "int32")

    def nonzero(self) -> tuple:
        return self.row, self.col

    def transpose(self, *_: object, **__: object) -> Any:
        shape = self.shape[::-1]
        if self._dense is not None:
            return self._made({}, shape, dense=self._dense.T)
        return self._made({(j, i): v for (i, j), v in self._entries.items()}, shape)

    def toarray(self, *_: object, **__: object) -> Any:
        if self._dense is not None:
            return self._dense.astype(self.dtype)
        made = np.zeros(self.shape, self.dtype)
        if made._values is not None:
            for (i, j), value in self._entries.items():
                made[i, j] = value
        return made

    todense = property(lambda self: self.toarray)
    A = property(lambda self: self.toarray())

    def astype(self, dtype: Any, *_: object, **__: object) -> Any:
        return self._made(self._entries, dtype=np.dtype(dtype), dense=self._dense)

    def copy(self) -> Any:
        return self._made(dict(self._entries), dense=self._dense)

    def sum(self, axis: int | None = None) -> Any:
        if axis is None:
            return sum(self._entries.values())
        axis %= 2
        sums = [0] * self.shape[1 - axis]
        for at, value in self._entries.items():
            sums[at[1 - axis]] += value
        return np.array(sums, self.dtype).reshape((1, -1) if axis == 0 else (-1, 1))

    def mean(self, axis: int | None = None) -> Any:
        return self.sum(axis) / (self.shape[0] * self.shape[1] if axis is None else self.shape[axis])

    def max(self, axis: int | None = None) -> Any:
        return max(self._entries.values(), default=0)

    def diagonal(self, k: int = 0) -> np.ndarray:
        return np.array([self._entries.get((i, i + k), 0) for i in range(min(self.shape))], self.dtype)

    def setdiag(self, values: Any, k: int = 0) -> None:
        self.__dict__.pop("_by_row", None)
        for i in range(min(self.shape)):
            self._entries[i, i + k] = values if np.isscalar(values) else values[i]

    def eliminate_zeros(self) -> None:
        self.__dict__.pop("_by_row", None)
        self._entries = {at: value for at, value in self._entries.items() if value}

    def sum_duplicates(self) -> None:
        """There are none."""

    sort_indices = sum_duplicates

    def power(self, n: int) -> Any:
        return self._made({at: value**n for at, value in self._entries.items()}, dense=self._dense)

    def __abs__(self) -> Any:
        return self._made({at: abs(value) for at, value in self._entries.items()}, dense=self._dense)

    def _joined(self, other, join):
        if np.isscalar(other):
            return self._made({at: join(value, other) for at, value in self._entries.items()}, dense=self._dense)
        if not isinstance(other, spmatrix):
            return join(self.toarray(), other)
        both = {at: join(self._entries.get(at, 0), other._entries.get(at, 0)) for at in self._entries | other._entries}
        dense = self._dense if self._dense is not None else other._dense
        return self._made({at: value for at, value in both.items() if value}, dense=dense)

    def __add__(self, other: Any) -> Any:
        return self._joined(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._joined(other, lambda a, b: a - b)

    def __neg__(self) -> Any:
        return self._made({at: -value for at, value in self._entries.items()}, dense=self._dense)

    def multiply(self, other: Any) -> Any:
        if isinstance(other, ndarray) and self._dense is None:
            other = np.broadcast_to(other, self.shape)
            return self._made({at: value * other[at] for at, value in self._entries.items()})
        return self._joined(other, lambda a, b: a * b)

    def __truediv__(self, other: Any) -> Any:
        return self._joined(other, lambda a, b: a / b)

    def maximum(self, other: Any) -> Any:
        return self._joined(other, max)

    def __gt__(self, other: Any) -> Any:
        return self._joined(other, lambda a, b: a > b).astype("bool")

    def __lt__(self, other: Any) -> Any:
        return self._joined(other, lambda a, b: a < b).astype("bool")

    def __ne__(self, other: Any) -> Any:
        return self._joined(other, lambda a, b: a != b).astype("bool")

    def dot(self, other: Any) -> Any:
        if np.isscalar(other):
            return self._joined(other, lambda a, b: a * b)
        if not isinstance(other, spmatrix):
            return np.zeros((self.shape[0], *other.shape[1:]), np.result_type(self.dtype, other.dtype))
        shape, dtype = (self.shape[0], other.shape[1]), np.result_type(self.dtype, other.dtype)
        if self._dense is not None or other._dense is not None:
            return self._made({}, shape, dtype, dense=np.zeros(shape, dtype))
        rows, found = {}, {}
        for (k, j), value in other._entries.items():
            rows.setdefault(k, []).append((j, value))
        for (i, k), value in self._entries.items():
            for j, factor in rows.get(k, ()):
                found[i, j] = found.get((i, j), 0) + value * factor
        return self._made(found, shape, dtype)

    __matmul__ = dot

    def __mul__(self, other: Any) -> Any:
        return self.dot(other)

    def __rmul__(self, other: Any) -> Any:
        return self._joined(other, lambda a, b: a * b)

    def __getitem__(self, key: Any) -> Any:
        rows, columns = key if isinstance(key, tuple) else (key, slice(None))
        if isinstance(rows, int) and isinstance(columns, int):
            return self._entries.get((rows % self.shape[0], columns % self.shape[1]), 0)
        is_whole = isinstance(columns, slice) and columns == slice(None)
        rows, columns = (_places(part, size) for part, size in zip((rows, columns), self.shape))
        if self._dense is not None:
            return self._made({}, (len(rows), len(columns)), dense=np.zeros((len(rows), len(columns)), self.dtype))
        if is_whole:
            by_row = self._rows()
            entries = {(new, j): value for new, old in enumerate(rows) for j, value in by_row.get(old, ())}
            return self._made(entries, (len(rows), len(columns)))
        of_row, of_column = {}, {}
        for indices, found in ((rows, of_row), (columns, of_column)):
            for new, old in enumerate(indices):
                found.setdefault(old, []).append(new)
        entries = {
            (i, j): value
            for (row, column), value in self._entries.items()
            for i in of_row.get(row, ())
            for j in of_column.get(column, ())
        }
        return self._made(entries, (len(rows), len(columns)))

    def _rows(self):
        """{row: [(column, value)]}, kept until an entry is set: programs take rows one by one."""
        by_row = self.__dict__.get("_by_row")
        if by_row is None:
            by_row = self._by_row = {}
            for (i, j), value in self._entries.items():
                by_row.setdefault(i, []).append((j, value))
        return by_row

    def __setitem__(self, key: Any, value: Any) -> None:
        self.__dict__.pop("_by_row", None)
        rows, columns = key if isinstance(key, tuple) else (key, slice(None))
        if isinstance(rows, int) and isinstance(columns, int):
            self._entries[rows % self.shape[0], columns % self.shape[1]] = value
            return
        pairs = not isinstance(rows, slice) and not isinstance(columns, slice)
        rows, columns = (_places(part, size) for part, size in zip((rows, columns), self.shape))
        count = max(len(rows), len(columns))
        if pairs:
            places = list(zip(list(rows) * (count // len(rows)), list(columns) * (count // len(columns))))
        else:
            places = [(i, j) for i in rows for j in columns]
        if isinstance(value, spmatrix):
            values = (
                None
                if value._dense is not None
                else [value._entries.get((i, j), 0) for i in range(len(rows)) for j in range(len(columns))]
            )
        else:
            values = [value] if np.isscalar(value) else _values(np.asarray(value).reshape(-1))
        if values is None or self._dense is not None:
            self._entries, self._dense = {}, np.zeros(self.shape, self.dtype)
            return
        for at, place in enumerate(places):
            self._entries[place] = values[at % len(values)]
            if not self._entries[place] and self.format in ("lil", "dok"):
                del self._entries[place]

    def __len__(self) -> int:
        raise TypeError("sparse array length is ambiguous; use getnnz()")

    def _as(format):
        return lambda self, *_, **__: globals()[f"{format}_matrix"](self)

    for _format in _FORMATS:
        vars()[f"to{_format}"] = _as(_format)


def _places(key, size):
    if isinstance(key, slice):
        return range(*key.indices(size))
    return [int(i) % size for i in ([key] if isinstance(key, int) else np.asarray(key).tolist())]


for _format in _FORMATS:
    for _ending in ("matrix", "array"):
        vars()[f"{_format}_{_ending}"] = type(f"{_format}_{_ending}", (spmatrix,), {"format": _format})
sparray = spmatrix


def save_npz(file: Any, matrix: Any, compressed: bool = True) -> None:
    """A matrix in the program's own file system."""
    name = file if hasattr(file, "write") or str(file).endswith(".npz") else f"{file}.npz"
    with name if hasattr(name, "write") else open(name, "wb") as opened:
        pickle.dump(matrix, opened)


def load_npz(file: Any) -> Any:
    """What `save_npz` wrote; what others hold nobody can know."""
    with file if hasattr(file, "read") else open(file, "rb") as opened:
        return pickle.load(opened)


def issparse(x: Any) -> bool:
    return isinstance(x, spmatrix)


isspmatrix = issparse


def isspmatrix_coo(x: Any) -> Any:
    return issparse(x) and x.format == "coo"


def isspmatrix_csr(x: Any) -> Any:
    return issparse(x) and x.format == "csr"


def eye(m: Any, n: int | None = None, k: int = 0, dtype: Any = float, format: Any = None) -> Any:  # noqa: A002
    made = coo_matrix((m, m if n is None else n), dtype=dtype)  # noqa: F821
    made.setdiag(1, k)
    return made


identity = eye_array = eye


def diags(diagonals: Any, offsets: int = 0, shape: Any = None, *_: object, **__: object) -> Any:
    """One diagonal, or several with their offsets."""
    if isinstance(offsets, int):
        diagonals, offsets = [diagonals if np.ndim(diagonals) == 1 else diagonals[0]], [offsets]
    entries, diagonals = {}, [np.asarray(diagonal) for diagonal in diagonals]
    for diagonal, offset in zip(diagonals, offsets):
        for i, value in enumerate(np.asarray(diagonal).tolist()):
            entries[max(0, -offset) + i, max(0, offset) + i] = value
    size = max((max(at) for at in entries), default=-1) + 1
    made = dia_matrix(shape or (size, size), dtype=np.result_type(*diagonals))  # noqa: F821
    made._entries = entries
    return made


diags_array = diags


def vstack(blocks: Any, format: Any = None, dtype: Any = None) -> Any:  # noqa: A002
    entries, below = {}, 0
    for block in blocks:
        entries |= {(i + below, j): value for (i, j), value in block._entries.items()}
        below += block.shape[0]
    return blocks[0]._made(entries, (below, blocks[0].shape[1]))


def hstack(blocks: Any, format: Any = None, dtype: Any = None) -> Any:  # noqa: A002
    return vstack([block.T for block in blocks]).T


def block_diag(mats: Any, *_: object, **__: object) -> Any:
    entries, row, column = {}, 0, 0
    for mat in map(coo_matrix, mats):  # noqa: F821
        entries |= {(i + row, j + column): value for (i, j), value in mat._entries.items()}
        row, column = row + mat.shape[0], column + mat.shape[1]
    made = coo_matrix((row, column), dtype=coo_matrix(mats[0]).dtype)  # noqa: F821
    made._entries = entries
    return made


__path__ = []
for _format in _FORMATS:  # each had a module of its own
    sys.modules[f"{__name__}.{_format}"] = sys.modules[__name__]
__getattr__ = lacks("scipy.sparse")
