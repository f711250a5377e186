"""class flatiter: an array's values in the order of its rows, by one number; writing goes to the array."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ._array import ndarray


class flatiter:
    def __init__(self, base: ndarray) -> None:
        self.base, self.index = base, 0

    def __iter__(self) -> Iterator:
        return iter(self._flat)

    def __next__(self) -> Any:
        if self.index >= self.base.size:
            raise StopIteration
        self.index += 1
        return self._flat[self.index - 1]

    @property
    def _flat(self) -> ndarray:
        return self.base.reshape(-1)

    def __len__(self) -> int:
        return self.base.size

    def __getitem__(self, key: Any) -> Any:
        return self._flat[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        changed = self._flat
        changed[key] = value
        self.base[...] = changed.reshape(self.base.shape)

    def copy(self) -> ndarray:
        return self._flat
