"""class Uniform: the values of an array that are all one, and taking values by steps, so that large arrays of nothing cost nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike


class Uniform(Sequence):
    """Reads as a list of one value; who writes into it makes it a list."""

    __slots__ = ("value", "_count")

    def __init__(self, value: ArrayLike, count: int) -> None:
        self.value, self._count = value, count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Any:
        return repeat(self.value, self._count)

    def __getitem__(self, index: int) -> Any:
        if isinstance(index, slice):
            return Uniform(self.value, len(range(*index.indices(self._count))))
        if not -self._count <= index < self._count:
            raise IndexError("list index out of range")
        return self.value

    def __contains__(self, value: ArrayLike) -> bool:
        return self._count > 0 and value == self.value

    def __mul__(self, times: Any) -> Uniform:
        return Uniform(self.value, self._count * times)

    def __add__(self, other: ArrayLike) -> list:
        return [*self, *other]

    def __radd__(self, other: ArrayLike) -> list:
        return [*other, *self]

    def __eq__(self, other: ArrayLike) -> Any:
        return list(self) == list(other)

    __hash__ = None


def together(values: ArrayLike) -> Uniform | None:
    """One value for all, where several rows of values are of one value; else None."""
    first, same = None, False
    for row in values:
        if type(row) is not Uniform or (same and row.value != first):
            return None
        first, same = row.value, True
    return Uniform(first, sum(map(len, values))) if same else None


def copied(values: ArrayLike) -> Any:
    return values if values is None or type(values) in (Uniform, range) else list(values)


def strided(values: ArrayLike, shape: int | Sequence[int], start: int, steps: int) -> list | Uniform:
    """Values at `start` plus a step for each dimension, in order of rows."""
    if type(values) is Uniform:
        count = 1
        for size in shape:
            count *= size
        return Uniform(values.value, count)
    if not shape:
        return [values[start]]
    offsets = [start]
    for size, step in zip(shape[:-1], steps):
        offsets = [place + i * step for place in offsets for i in range(size)]
    size, step = shape[-1], steps[-1]
    if step == 0:
        return [value for place in offsets for value in repeat(values[place], size)] if size else []
    if step < 0:
        return [values[place + i * step] for place in offsets for i in range(size)]
    found = []
    for place in offsets:
        found += values[place : place + size * step : step]
    return found
