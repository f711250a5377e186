"""Making arrays: from Python values and tensors, filled, in steps, joined, from files."""

from __future__ import annotations

import math
import os
import struct
from typing import TYPE_CHECKING

from torch._bytes import numbers
from torch._stand_ins import note

from ._array import MOST_VALUES, cast, count, is_whole, missing, ndarray, scalar
from ._dtypes import dtype, generic, result_type
from ._uniform import Uniform, together

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy.typing import ArrayLike, DTypeLike


_KINDS = {float, int, bool, complex, str}  # of Python's values; arrays of all others are arrays of objects


_UNEVEN = "setting an array element with a sequence. The requested array has an inhomogeneous shape"


def _leaves(data, shape):
    """Values of nested sequences in order; checks that each level is even."""
    level = [data]
    for size in shape:
        for part in level:
            if not isinstance(part, (list, tuple)) or len(part) != size:
                raise ValueError(_UNEVEN)
        level = [value for part in level for value in part]
    kinds = set(map(type, level))
    if kinds <= _NUMBERS:
        return level
    if any(isinstance(v, (list, tuple)) or (isinstance(v, ndarray) and v.ndim) for v in level):
        raise ValueError(_UNEVEN)
    return [v.item() if isinstance(v, ndarray) else v for v in level]


_NUMBERS = {int, float, bool, complex, str}


def _kind_of(found):
    """The kind of number or text that a class is, or is made from; `object` for any other."""
    return next((base for base in found.__mro__ if base in _KINDS), object)


def _nested(data, kind):
    shape, first = [], data
    while isinstance(first, (list, tuple)):
        shape.append(len(first))
        if not first:
            break
        first = first[0]
    if isinstance(first, ndarray) and first.ndim:
        parts = list(data)
        while isinstance(parts[0], (list, tuple)):
            parts = [p for part in parts for p in part]
        parts = list(map(asarray, parts))
        if any(p.shape != first.shape for p in parts):
            raise ValueError(_UNEVEN)
        made = result_type(*(p.dtype for p in parts)) if kind is None else dtype(kind)
        rows = [p._values for p in parts]
        values = together(rows)
        if values is not None:
            values = Uniform(cast(values.value, made), len(values))
        elif all(r is not None for r in rows):
            values = [cast(v, made) for r in rows for v in r]
        return ndarray((*shape, *first.shape), made, values)
    leaves = _leaves(data, shape)
    if kind is None:
        kinds = {ndarray((), k).dtype.name if issubclass(k, generic) else k for k in set(map(type, leaves))} or {float}
        kind = result_type(*(k if isinstance(k, str) else _kind_of(k) for k in kinds))
    kind = dtype(kind)
    if len(leaves) > MOST_VALUES:
        return ndarray(shape, kind)
    # numbers of the very class need no rounding; that of float32 is left to who reads them
    as_they_are = set(map(type, leaves)) == {float} and kind.kind == "f"
    return ndarray(shape, kind, leaves if as_they_are else [cast(v, kind) for v in leaves])


def array(data: Any, dtype: DTypeLike = None, copy: bool = True, ndmin: int = 0, order: str | None = None) -> Any:
    """An array of nested sequences, a number, a tensor on the CPU, or another array."""
    if isinstance(data, ndarray):
        made = data.copy() if dtype is None else data.astype(dtype)
    elif hasattr(data, "__array__"):
        made = data.__array__()
        made = made if dtype is None else made.astype(dtype)
    else:
        if isinstance(data, (range, set, map, zip)) or hasattr(data, "__next__"):
            data = list(data)
        if (
            isinstance(data, (list, tuple))
            and data
            and hasattr(data[0], "__array__")
            and not isinstance(data[0], ndarray)
        ):
            data = [part.__array__() for part in data]
        made = _nested(data, dtype)
    while made.ndim < ndmin:
        made = made.reshape((1, *made.shape))
    return made


def asarray(data: Any, dtype: DTypeLike = None, order: str | None = None) -> Any:
    return data if isinstance(data, ndarray) and (dtype is None or data.dtype == dtype) else array(data, dtype)


ascontiguousarray = asanyarray = asarray


def _shape(shape):
    return (int(shape),) if is_whole(shape) else tuple(shape)


def full(shape: int | Sequence[int], fill_value: ArrayLike, dtype: DTypeLike = None, order: str = "C") -> Any:
    shape = _shape(shape)
    kind = asarray(fill_value).dtype if dtype is None else dtype
    n = count(shape)
    return ndarray(shape, kind, Uniform(cast(fill_value, ndarray((), kind).dtype), n) if n <= MOST_VALUES else None)


def zeros(shape: int | Sequence[int], dtype: DTypeLike = float, order: str = "C") -> Any:
    kind = ndarray((), dtype or float).dtype
    return full(shape, "" if kind.kind == "U" else 0, kind)


def ones(shape: int | Sequence[int], dtype: DTypeLike = float, order: str = "C") -> Any:
    return full(shape, 1, dtype or float)


empty = zeros


def full_like(a: ArrayLike, fill_value: ArrayLike, dtype: DTypeLike = None) -> Any:
    a = asarray(a)
    return full(a.shape, fill_value, dtype or a.dtype)


def zeros_like(a: ArrayLike, dtype: DTypeLike = None) -> Any:
    return full_like(a, 0, dtype)


def ones_like(a: ArrayLike, dtype: DTypeLike = None) -> Any:
    return full_like(a, 1, dtype)


empty_like = zeros_like


def arange(*bounds: Any, dtype: DTypeLike = None) -> Any:
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    n = max(0, math.ceil((stop - start) / step))
    kind = (
        result_type(*({float} if any(isinstance(b, float) for b in (start, stop, step)) else {int}))
        if dtype is None
        else dtype
    )
    made = ndarray((n,), kind)
    if n <= MOST_VALUES:
        made._values = [cast(start + i * step, made.dtype) for i in range(n)]
    elif type(start) is type(stop) is type(step) is int and made.dtype.kind in "iu":
        in_order = range(start, start + n * step, step)  # takes no place, however many there are
        made._values = in_order if all(cast(end, made.dtype) == end for end in (in_order[0], in_order[-1])) else None
    return made


def linspace(
    start: int, stop: int, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: DTypeLike = None
) -> Any:
    step = (stop - start) / max(num - 1 if endpoint else num, 1)
    made = ndarray((num,), dtype or float)
    if num <= MOST_VALUES:
        made._values = [
            cast(stop if endpoint and num > 1 and i == num - 1 else start + i * step, made.dtype) for i in range(num)
        ]
    return (made, step) if retstep else made


def eye(N: int, M: Any = None, k: int = 0, dtype: DTypeLike = float) -> Any:
    columns = N if M is None else M
    values = [i + k == j for i in range(N) for j in range(columns)] if N * columns <= MOST_VALUES else None
    made = ndarray((N, columns), dtype)
    made._values = values and [cast(v, made.dtype) for v in values]
    return made


identity = eye


def tri(rows: int, columns: Sequence[str], keep: Callable, dtype: DTypeLike) -> Any:
    return ndarray(
        (rows, columns),
        dtype,
        [keep(i, j) for i in range(rows) for j in range(columns)] if rows * columns <= MOST_VALUES else None,
    )


def concatenate(arrays: Sequence[ArrayLike], axis: int | None = 0, dtype: DTypeLike = None) -> Any:
    arrays = [asarray(a) for a in arrays]
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        arrays, axis = [a.reshape(-1) for a in arrays], 0
    axis %= arrays[0].ndim
    rest = [a.shape[:axis] + a.shape[axis + 1 :] for a in arrays]
    if any(r != rest[0] for r in rest):
        raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
    kind = result_type(*(a.dtype for a in arrays)) if dtype is None else dtype
    shape = list(arrays[0].shape)
    shape[axis] = sum(a.shape[axis] for a in arrays)
    made = ndarray(shape, kind)
    if all(a._values is not None for a in arrays) and made.size <= MOST_VALUES:
        outer, values = count(shape[:axis]), []
        if outer == 1 and all(a.dtype == made.dtype for a in arrays):
            made._values = _joined([a._values for a in arrays])
            return made
        inner = [count(a.shape[axis:]) for a in arrays]
        for i in range(outer):
            for a, n in zip(arrays, inner):
                values.extend(cast(v, made.dtype) for v in a._values[i * n : (i + 1) * n])
        made._values = values
    return made


def _joined(rows):
    """Values of several arrays, one after another; one value stays one."""
    values = together(rows)
    if values is None:
        values = []
        for row in rows:
            values += row
    return values


def expand_dims(a: ArrayLike, axis: int | None) -> ndarray:
    a = asarray(a)
    shape = list(a.shape)
    shape.insert(axis if axis >= 0 else axis + a.ndim + 1, 1)
    return a.reshape(shape)


def stack(arrays: Sequence[ArrayLike], axis: int | None = 0) -> Any:
    return concatenate([expand_dims(a, axis) for a in arrays], axis)


def vstack(arrays: Sequence[ArrayLike]) -> Any:
    return concatenate([a.reshape(1, -1) if a.ndim < 2 else a for a in map(asarray, arrays)], 0)


def hstack(arrays: Sequence[ArrayLike]) -> Any:
    arrays = [asarray(a) for a in arrays]
    return concatenate(arrays, 0 if arrays[0].ndim < 2 else 1)


def array_split(a: ArrayLike, parts: Any, axis: int | None = 0) -> list:
    a = asarray(a)
    n = a.shape[axis]
    if isinstance(parts, int):
        cuts = [i * (n // parts) + min(i, n % parts) for i in range(parts + 1)]
    else:
        cuts = [0, *parts, n]
    ahead = (slice(None),) * (axis % a.ndim)
    return [a[(*ahead, slice(i, j))] for i, j in zip(cuts, cuts[1:])]


def split(a: ArrayLike, parts: Any, axis: int | None = 0) -> list:
    if isinstance(parts, int) and asarray(a).shape[axis] % parts:
        raise ValueError("array split does not result in an equal division")
    return array_split(a, parts, axis)


# --- files


def _unpack(data, kind):
    values = numbers(data, kind, len(data) // kind.itemsize)
    if values is None:
        missing(f"reading {kind} from a file")
    return list(values)


def frombuffer(buffer: Any, dtype: DTypeLike = float, count: int = -1, offset: int = 0) -> Any:
    kind = ndarray((), dtype).dtype
    data = bytes(buffer)[offset:]
    n = len(data) // kind.itemsize if count < 0 else count
    return ndarray((n,), kind, _unpack(data[: n * kind.itemsize], kind) if n <= MOST_VALUES else None)


def fromstring(string: Any, dtype: DTypeLike = float, count: int = -1, sep: str = "") -> Any:
    """Bytes as an array, as NumPy has it until 2.2; numbers in a text."""
    if not sep:
        return frombuffer(string if isinstance(string, bytes) else string.encode("latin1"), dtype, count)
    return array([float(part) for part in string.split(sep if sep.strip() else None)], dtype)


def fromfile(file: Any, dtype: DTypeLike = float, count: int = -1, sep: str = "", offset: int = 0) -> Any:
    if hasattr(file, "read"):  # it goes on where it is
        file.seek(offset, 1)
        return frombuffer(file.read(-1 if count < 0 else count * ndarray((), dtype).dtype.itemsize), dtype, count)
    with open(file, "rb") as f:
        f.seek(offset)
        return frombuffer(f.read(), dtype, count)


def save(file: Any, arr: ArrayLike, allow_pickle: bool = True) -> None:
    """A .npy file in the program's own file system."""
    arr = asarray(arr)
    header = repr({"descr": arr.dtype.str, "fortran_order": False, "shape": arr.shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + arr.tobytes()
    if hasattr(file, "write"):
        file.write(data)
        return
    file = os.fspath(file)
    with open(file if file.endswith(".npy") else file + ".npy", "wb") as f:
        f.write(data)


def load(file: Any, mmap_mode: Any = None, allow_pickle: bool = False) -> Any:
    """An array from a .npy file."""
    import ast

    opened = file if hasattr(file, "read") else open(file, "rb")
    data = opened.read()
    if data[:6] != b"\x93NUMPY":
        missing("np.load of anything but .npy files")
    wide = data[6] >= 2
    n = struct.unpack("<I" if wide else "<H", data[8 : 12 if wide else 10])[0]
    start = (12 if wide else 10) + n
    header = ast.literal_eval(data[start - n : start].decode().strip())
    if header["fortran_order"]:
        missing("np.load of arrays in Fortran order")
    if "O" in header["descr"]:
        if not allow_pickle:
            raise ValueError("Object arrays cannot be loaded when allow_pickle=False")
        import pickle

        return pickle.loads(data[start:], encoding="latin1")
    made = ndarray(header["shape"], header["descr"])
    if made.size <= MOST_VALUES:
        made._values = _unpack(data[start:], made.dtype)
    else:
        note("numpy_placeholder", "op", "numpy.load")
    return made
