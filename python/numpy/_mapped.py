"""numpy.memmap: a file as an array, read where it is asked for; one that is made anew may be larger than what is kept of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ._array import MOST_VALUES, is_whole, ndarray, scalar
from ._make import _shape, _unpack

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import DTypeLike

_MOST_WRITTEN = 2**24
_written = {}  # bytes that a file would have that the program made, by its path


def _place(filename):
    return os.path.abspath(os.fspath(filename))


class memmap(ndarray):
    """A file's content; values are read when a part of it is taken. What is written is kept where it is small."""

    def __init__(
        self,
        filename: str,
        dtype: DTypeLike = "uint8",
        mode: str = "r+",
        offset: int = 0,
        shape: int | Sequence[int] | None = None,
        order: str = "C",
    ) -> None:
        kind = ndarray((), dtype).dtype
        if mode == "w+":
            if shape is None:
                raise ValueError("shape must be given if mode == 'w+'")
            super().__init__(_shape(shape), kind)
            with open(filename, "wb") as file:  # of what is too much to keep, the first bytes lie in the file
                file.truncate(min(offset + self.nbytes, _MOST_WRITTEN))
            _written[_place(filename)] = offset + self.nbytes
            if self.size <= MOST_VALUES:
                self._values = [kind.type(0).item()] * self.size
        else:
            with open(filename, "rb") as file:  # a file that is not there may have a placeholder
                size = file.seek(0, 2)
            size = (_written.get(_place(filename), size) if size == _MOST_WRITTEN else size) - offset
            super().__init__((size // kind.itemsize,) if shape is None else _shape(shape), kind)
        self.filename, self.offset, self.mode = filename, offset, mode
        self._file = (filename, offset)

    def _part(self, start, n):
        filename, offset = self._file
        with open(filename, "rb") as f:
            f.seek(offset + start * self.itemsize)
            return _unpack(f.read(n * self.itemsize).ljust(n * self.itemsize, b"\0"), self._dtype)

    def __getitem__(self, index: int) -> Any:
        if self._values is not None:
            return super().__getitem__(index)
        if self.ndim == 1 and isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            n = max(0, stop - start)
            if step == 1 and n <= MOST_VALUES:
                return ndarray((n,), self._dtype, self._part(start, n))
        if self.ndim == 1 and is_whole(index):
            return scalar(self._part(index.__index__() % len(self), 1)[0], self._dtype)
        return super().__getitem__(index)

    def flush(self) -> None:
        """What is small enough to be known is written."""
        if self._values is not None:
            with open(self.filename, "r+b") as file:
                file.seek(self.offset)
                file.write(self.tobytes())
