"""h5py: files that a program writes are read back; one that is not there has what is asked for, of the shape that --data says, or
that the names of its arrays tell.

What an existing file holds is not read: its format is not taken apart here.
"""

from __future__ import annotations

from typing import Any

import re

import numpy as np
from torch._conversions import guess_rows
from torch._stand_ins import lacks, note

__version__ = "3.14.0"
_written = {}  # what the program wrote, by the name of its file
_ROWS = 1000
_LENGTH = 1024
# what names of arrays tell where --data says nothing: the first that fits decides; how one is taken apart tells whether it has rows
_NAMED = (
    (re.compile(r"token|corpus|(?:^|_)ids$|mask"), "int64", (_ROWS * _LENGTH,), (_ROWS, _LENGTH)),
    (re.compile(r"label|target|class|^y(?:_|$)"), "int64", (_ROWS,), (_ROWS,)),
    (re.compile(r"^(?:images?|imgs?)$"), "uint8", (_ROWS, 3, 256, 256), (_ROWS, 3, 256, 256)),
)


class Dataset:
    """An array in a file; what is taken of it is an array."""

    def __init__(self, array: Any, name: str = "", holds_arrays: bool = False) -> None:
        self._array, self.name, self.attrs, self._holds_arrays = array, name, {}, holds_arrays

    shape = property(lambda self: self._array.shape)
    dtype = property(lambda self: self._array.dtype)
    size = property(lambda self: self._array.size)
    ndim = property(lambda self: self._array.ndim)
    value = property(lambda self: self._array)

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, str):
            if self._holds_arrays:  # a group then, with one array for each row
                return Dataset(np.zeros(self.shape[1:], self.dtype), f"{self.name}/{index}", True)
            raise ValueError("Field names only allowed for compound types")
        return self._array[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._array[index] = value

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self._array

    def __iter__(self) -> Any:
        return iter(self._array)

    def resize(self, size: Any, axis: int | None = None) -> None:
        shape = list(self.shape)
        if axis is None:
            shape = list(size)
        else:
            shape[axis] = size
        self._array = np.zeros(shape, self.dtype)


class _Attributes(dict):
    """Of a file that is not there each is 1: how many there are of what is counted."""

    def __missing__(self, name: str) -> int:
        note("placeholder_array", "name", name, shape="1")
        return 1


class Group:
    """Names of arrays and of further groups."""

    def __init__(self, name: str = "/", guess: Any = None) -> None:
        self.name, self._parts, self.attrs, self._guess = name, {}, {}, guess

    def _of(self, name: str, make: bool) -> tuple:
        """(the group that a path leads to, its last name)."""
        at, *rest = [part for part in name.split("/") if part]
        if not rest:
            return self, at
        if at not in self._parts and make:
            self._parts[at] = Group(f"{self.name.rstrip('/')}/{at}", self._guess)
        return self._parts[at]._of("/".join(rest), make)

    def create_dataset(self, name: str, shape: Any = None, dtype: Any = None, data: Any = None, **_: Any) -> Dataset:
        group, last = self._of(name, True)
        array = (
            np.zeros((shape,) if isinstance(shape, int) else shape, dtype or "f4")
            if data is None
            else np.asarray(data, dtype)
        )
        made = group._parts[last] = Dataset(array, f"{group.name.rstrip('/')}/{last}")
        return made

    def create_group(self, name: str, **_: Any) -> Group:
        group, last = self._of(name, True)
        return group._parts.setdefault(last, Group(f"{group.name.rstrip('/')}/{last}", self._guess))

    require_group = create_group

    def __getitem__(self, name: str) -> Any:
        bare = name.strip("/")
        if self._guess is not None and bare not in self._parts and "/" not in bare:
            dtype, shape = self._guess(bare)
            self._parts[bare] = Dataset(np.zeros(shape, dtype), name, True)
        group, last = self._of(name, False)
        if last not in group._parts:
            raise KeyError(f"Unable to synchronously open object (object '{last}' doesn't exist)")
        return group._parts[last]

    def __setitem__(self, name: str, value: Any) -> None:
        self.create_dataset(name, data=value)

    def __delitem__(self, name: str) -> None:
        group, last = self._of(name, False)
        del group._parts[last]

    def __contains__(self, name: str) -> bool:
        return self._guess is not None or name.strip("/") in self._parts

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else default

    def keys(self) -> Any:
        return self._parts.keys()

    def values(self) -> Any:
        return self._parts.values()

    def items(self) -> Any:
        return self._parts.items()

    def __iter__(self) -> Any:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)


class File(Group):
    def __init__(self, name: Any, mode: str = "r", **_: Any) -> None:
        super().__init__()
        self.filename, self.mode = str(name), mode
        if mode in ("w", "w-", "x"):
            open(name, "wb").close()
            _written[self.filename] = self
        elif self.filename in _written:
            self._parts = _written[self.filename]._parts
        elif mode == "a":
            _written[self.filename] = self
        else:
            self._guess, self.attrs = _type_of_array(self.filename), _Attributes()

    def close(self) -> None:
        """Nothing is held."""

    flush = close

    def __enter__(self) -> File:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __bool__(self) -> bool:
        return True


def _type_of_array(name: str) -> Any:
    """What tells (dtype, shape) of an array by its name: --data, or the name itself."""
    import vramscope_data

    spec = vramscope_data._specification(name)
    if spec is None:
        return lambda array: _named(name, array)
    note("placeholder_given", "file", name)
    return lambda array: (spec.dtype, spec.shape)


def _named(file, array):
    """The guess that an array's name allows; OSError where it allows none."""
    import os

    from vramscope_data import readers

    fitting = (row for row in _NAMED if row[0].search(array.lower()))
    found = next(((dtype, rows if readers.takes_rows(array) else line) for _, dtype, line, rows in fitting), None)
    if found is None:
        if os.path.exists(file):
            note("placeholder_data", "library", "h5py")
        raise OSError(
            f"vramscope's stand-in for h5py does not know what {file} holds: --data {os.path.basename(file)}=float32[{_ROWS}x3x32x32], "
            "with its own dtype and shape, says it for each of its arrays"
        )
    dtype, shape = found
    note("placeholder_file", "file", f"{file} ({array}: {dtype} {'x'.join(map(str, shape))})")
    if shape:
        guess_rows(shape[0], file)
    return found


special_dtype = string_dtype = lambda *_, **__: "O"
__getattr__ = lacks("h5py")
