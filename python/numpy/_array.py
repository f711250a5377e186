"""class ndarray: shape and dtype, and the values in a list where there are at most `MOST_VALUES` of them.

Larger arrays, and those that come from tensors without values, are placeholders that read as zeros; the report says so.
A slice is a copy that remembers where it came from: what is written into it reaches that array, not the other way round.
"""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

from torch._bytes import content_of
from torch._stand_ins import note

from ._dtypes import bool_, dtype
from ._flat import flatiter
from ._uniform import Uniform, copied, strided

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn, Self

    from numpy.typing import ArrayLike


MOST_VALUES = 65_536
MOST_READ = 4096  # values of a tensor that a run may read


def count(shape: int | Sequence[int]) -> Any:
    return math.prod(shape)


def is_whole(value: ArrayLike) -> bool:
    """Whether it is one whole number, Python's, NumPy's or a tensor."""
    return hasattr(value, "__index__") and not getattr(value, "ndim", 0)


def missing(name: str) -> NoReturn:
    raise NotImplementedError(f"vramscope's stand-in for numpy does not have {name}")


class _Flags(dict):
    """What is asked for by name, `flags.writeable`, as well as by key."""

    def __getattr__(self, name: str) -> bool:
        if name.upper() not in self:
            raise AttributeError(f"'flagsobj' object has no attribute '{name}'")
        return self[name.upper()]


_FLAGS = _Flags(C_CONTIGUOUS=True, OWNDATA=True, WRITEABLE=True, ALIGNED=True)


class Texts(list):
    """Values of a table of texts, kept whatever their number: they may be names that the program looks up."""


class ndarray:
    """Use np.array, np.zeros and the like to make one."""

    __array_priority__ = 100

    def __init__(
        self, shape: int | Sequence[int], kind: str = "float64", values: ArrayLike = None, **numpys: Any
    ) -> None:
        if numpys:  # the words of NumPy's own constructor
            kind = numpys.get("dtype", kind)
        self._shape = (shape,) if type(shape) is int else tuple(int(s) for s in shape)
        if any(s < 0 for s in self._shape):
            raise ValueError("negative dimensions are not allowed")
        self._dtype = dtype(kind)
        kept = values is not None and (len(values) <= MOST_VALUES or type(values) in (range, Texts))
        self._values = values if kept else None

    _is_lost = False  # a small tensor's values, which nobody knows: zeros once something is computed with them
    _origin = None  # the array and the index that a slice came from

    def _write_through(self):
        """Hands what was written on to the array that this is a slice of."""
        if self._origin is not None:
            array, index = self._origin
            array[index] = self

    # --- geometry

    shape = property(lambda self: self._shape, lambda self, shape: self._reshape_in_place(shape))
    dtype = property(lambda self: self._dtype)
    ndim = property(lambda self: len(self._shape))
    size = property(lambda self: count(self._shape))
    itemsize = property(lambda self: self._dtype.itemsize)
    nbytes = property(lambda self: self.size * self.itemsize)
    T = property(lambda self: self.transpose())
    flags = property(lambda self: _FLAGS)
    flat = property(lambda self: flatiter(self))

    def _reshape_in_place(self, shape):
        self._shape = self.reshape(shape)._shape

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("len() of unsized object")
        return self._shape[0]

    def reshape(self, *shape: Any, order: str = "C") -> ndarray:
        shape = tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else shape
        known = count([s for s in shape if s != -1])
        if -1 in shape:
            shape = tuple(self.size // max(known, 1) if s == -1 else s for s in shape)
        if count(shape) != self.size:
            raise ValueError(f"cannot reshape array of size {self.size} into shape {shape}")
        made = ndarray(shape, self._dtype, copied(self._values))
        made._is_lost = self._is_lost
        return made

    def ravel(self, order: str = "C") -> ndarray:
        return self.reshape(-1)

    def flatten(self, order: str = "C") -> ndarray:
        return self.reshape(-1)

    def squeeze(self, axis: int | None = None) -> ndarray:
        gone = (
            range(self.ndim) if axis is None else [a % self.ndim for a in ((axis,) if isinstance(axis, int) else axis)]
        )
        return self.reshape([s for i, s in enumerate(self._shape) if not (i in gone and s == 1)])

    def transpose(self, *axes: Any) -> ndarray:
        axes = tuple(axes[0]) if len(axes) == 1 and not isinstance(axes[0], int) else axes
        axes = axes or tuple(reversed(range(self.ndim)))
        axes = tuple(a % self.ndim for a in axes)
        steps = self.strides_in_values()
        return self.take_steps([self._shape[a] for a in axes], 0, [steps[a] for a in axes])

    def swapaxes(self, a: ArrayLike, b: ArrayLike) -> ndarray:
        axes = list(range(self.ndim))
        axes[a], axes[b] = axes[b], axes[a]
        return self.transpose(axes)

    def strides_in_values(self) -> Any:
        steps, step = [], 1
        for s in reversed(self._shape):
            steps.append(step)
            step *= s
        return steps[::-1]

    def take_places(self, shape: int | Sequence[int], place_of: Callable) -> ndarray:
        """A new array of `shape` whose value at a place is ours at place_of(place)."""
        if self._values is None or count(shape) > MOST_VALUES:
            return ndarray(shape, self._dtype)
        steps = self.strides_in_values()
        values = self._values
        picked = [values[sum(i * s for i, s in zip(place_of(place), steps))] for place in product(*map(range, shape))]
        return ndarray(shape, self._dtype, picked)

    def take_steps(self, shape: int | Sequence[int], start: int, steps: int) -> ndarray:
        """A new array of `shape` whose values lie at `start` plus steps for each dimension."""
        if self._values is None or count(shape) > MOST_VALUES:
            return ndarray(shape, self._dtype)
        return ndarray(shape, self._dtype, strided(self._values, shape, start, steps))

    # --- values

    def writable(self) -> Any:
        """The values to write into."""
        if type(self._values) in (Uniform, range):
            self._values = list(self._values)
        return self._values

    def read(self) -> Any:
        """The values in order; zeros, and a note in the report, where they are not known."""
        if self._values is None:
            note("numpy_placeholder", "op", "numpy.ndarray")
            return [self._dtype.type._python(0)] * self.size
        return self._values

    def tolist(self) -> Any:
        python = self._dtype.type._python
        flat = [python(v) for v in self.read()]
        if not self._shape:
            return flat[0]
        for s in reversed(self._shape[1:]):
            flat = [flat[i : i + s] for i in range(0, len(flat), s)] if s else []
        return flat

    def item(self, *place: Any) -> Any:
        if place:
            return (
                self[place if len(place) > 1 else place[0]].item()
                if self.ndim > 1 or len(place) > 1
                else self._dtype.type._python(self.read()[place[0]])
            )
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._dtype.type._python(self.read()[0])

    def tobytes(self) -> Any:
        if self.size > MOST_VALUES:
            return bytes(self.nbytes)
        content = content_of(self.read(), self._dtype)
        return missing(f"ndarray.tobytes() of {self._dtype}") if content is None else content

    tostring = tobytes  # as releases before 2.3 called it, too

    def tofile(self, path: str) -> None:
        with open(path, "wb") as file:
            file.write(self.tobytes())

    def copy(self, order: str = "C") -> ndarray:
        return ndarray(self._shape, self._dtype, copied(self._values))

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> ndarray:
        return self.copy()

    def astype(self, kind: str, copy: bool = True) -> ndarray:
        target = dtype(kind)
        return ndarray(self._shape, target, None if self._values is None else self._cast_all(target))

    def _cast_all(self, target):
        """Each value as another dtype keeps it."""
        if type(self._values) is Uniform:
            return Uniform(cast(self._values.value, target), len(self._values))
        one_by_one = _CASTS.get(target.kind)
        if one_by_one is not None:
            return list(map(one_by_one, self._values))
        own = self._dtype
        if own.kind in (target.kind, "u", "b") and own.itemsize + (own.kind != target.kind) <= target.itemsize:
            return list(map(int, self._values))  # all of a narrower type have their place
        return [cast(v, target) for v in self._values]

    def view(self, kind: str | None = None) -> ndarray:
        """The same bytes as another dtype."""
        if (
            kind is None
            or not isinstance(kind, (str, dtype, type))
            or (isinstance(kind, type) and issubclass(kind, ndarray))
        ):
            return self.copy()
        from ._make import frombuffer

        kind = dtype(kind)
        shape = (*self._shape[:-1], self._shape[-1] * self.itemsize // kind.itemsize) if self._shape else ()
        if self._values is None:
            return ndarray(shape, kind)
        return frombuffer(self.tobytes(), kind).reshape(shape)

    strides = property(lambda self: tuple(s * self.itemsize for s in self.strides_in_values()))
    base = None

    def byteswap(self, inplace: bool = False) -> Self:
        return self

    def newbyteorder(self, order: str = "S") -> Self:
        return self

    def setflags(self, *_: Any, **__: Any) -> None:
        """Arrays can always be written to."""

    def fill(self, value: ArrayLike) -> None:
        if self.size <= MOST_VALUES:
            self._values = Uniform(cast(value, self._dtype), self.size)
            self._write_through()

    def _single(self, python):
        return python(self.item())

    def __float__(self) -> float:
        return self._single(float)

    def __int__(self) -> int:
        return self._single(int)

    def __index__(self) -> int:
        if self.size != 1 or self._dtype.kind not in "iub":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return self._single(int)

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            )
        return self._single(bool)

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    def __contains__(self, value: ArrayLike) -> bool:
        return value in self.read()

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if self.size == 1 and not self._shape else str(self)

    def __repr__(self) -> str:
        if self._values is None:
            return f"array(..., shape={self._shape}, dtype={self._dtype})"
        from ._printing import array_repr

        return array_repr(self)

    def __str__(self) -> str:
        if self._values is None:
            return repr(self)
        from ._printing import array2string

        return array2string(self)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"vramscope's stand-in for numpy does not have ndarray.{name}")

    def __array__(self, kind: str | None = None, copy: Any = None) -> Self | ndarray:
        return self if kind is None else self.astype(kind)

    # --- between NumPy and torch

    def to_torch(self) -> Any:
        """A tensor on the CPU with these values, if it can hold them."""
        import torch
        from torch._literals import fill_values, give_values
        from torch._C import ops

        if self._dtype.kind in "UO":
            raise TypeError(
                f"can't convert np.ndarray of type {'numpy.str_' if self._dtype.kind == 'U' else 'numpy.object_'}. The only "
                "supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, "
                "uint32, uint16, uint8, and bool."
            )
        made = ops._from_data(self._shape, getattr(torch, self._dtype.name), "cpu")
        if type(self._values) is Uniform and self._dtype.kind != "c":
            fill_values(made, self._values.value)
        elif self._values is not None and self.size <= MOST_READ and self._dtype.kind != "c":
            give_values(made, self._values)
        return made


ndarray.__module__ = "numpy"


_CASTS = {"f": float, "b": bool, "c": complex, "U": str}


def cast(value: ArrayLike, kind: str) -> Any:
    """A Python number as the dtype keeps it: integers wrap around."""
    if kind.kind == "c":
        return complex(value)
    if kind.kind == "f":
        return float(value)
    if kind.kind == "b":
        return bool(value)
    if kind.kind in "UO":
        return str(value) if kind.kind == "U" else value
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
        return 0
    bits = 8 * kind.itemsize
    wrapped = int(value) & ((1 << bits) - 1)
    return wrapped - (1 << bits) if kind.kind == "i" and wrapped >> (bits - 1) else wrapped


def scalar(value: ArrayLike, kind: str) -> Any:
    """One value as a NumPy scalar."""
    kind = dtype(kind)
    return (bool_ if kind.kind == "b" else kind.type)(value)


def broadcast(*shapes: Any) -> tuple:
    result = []
    for sizes in zip(*([1] * (max(map(len, shapes), default=0) - len(s)) + list(s) for s in shapes)):
        wide = {s for s in sizes if s != 1}
        if len(wide) > 1:
            raise ValueError(
                "operands could not be broadcast together with shapes "
                + " ".join(str(tuple(s)).replace(" ", "") for s in shapes)
            )
        result.append(wide.pop() if wide else 1)
    return tuple(result)


def expand(array: ArrayLike, shape: int | Sequence[int]) -> Any:
    """The values of `array` at every place of `shape`, or None."""
    if array._values is None or count(shape) > MOST_VALUES:
        return None
    if array._shape == shape:
        return array._values
    if array.size == 1:
        return Uniform(array._values[0], count(shape))
    steps = [0 if s == 1 else step for s, step in zip(array._shape, array.strides_in_values())]
    return array.take_steps(shape, 0, [*[0] * (len(shape) - array.ndim), *steps])._values
