"""A data set that is read one row after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch.utils.data

from ._dataset import Dataset
from ._rows import held

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Self


class IterableDataset(torch.utils.data.IterableDataset):
    """`rows` is a data set, or a function that gives an iterator."""

    def __init__(self, rows: Any, steps: Sequence = ()) -> None:
        self._rows, self._steps = rows, steps

    @classmethod
    def from_generator(
        cls, generator: Callable, features: Any = None, gen_kwargs: Any = None, split: str | None = None
    ) -> Self:
        return cls(lambda: generator(**(gen_kwargs or {})))

    def _then(self, step):
        return IterableDataset(self._rows, (*self._steps, step))

    def __iter__(self) -> Any:
        found = iter(self._rows() if callable(self._rows) else self._rows)
        for step in self._steps:
            found = step(found)
        return found

    @property
    def features(self) -> Any:
        return self._rows.features if isinstance(self._rows, Dataset) and not self._steps else None

    @property
    def column_names(self) -> list | None:
        first = next(iter(self), None)
        return None if first is None else list(first)

    def map(
        self, function: Callable | None = None, batched: bool = False, batch_size: int = 1000, **options: Any
    ) -> IterableDataset:
        def step(rows):
            if not batched:
                return (row for one in rows for row in Dataset(held([one])).map(function, **options))
            return _in_batches(rows, batch_size, lambda some: Dataset(held(some)).map(function, batched=True, batch_size=batch_size, **options))  # fmt: skip

        return self._then(step)

    def filter(self, function: Callable | None = None, **options: Any) -> IterableDataset:
        return self._then(
            lambda rows: (row for one in rows for row in Dataset(held([one])).filter(function, **options))
        )

    def take(self, n: int) -> IterableDataset:
        return self._then(lambda rows: (row for _, row in zip(range(n), rows)))

    def skip(self, n: int) -> IterableDataset:
        def step(rows):
            for _ in zip(range(n), rows):
                pass
            return rows

        return self._then(step)

    def shuffle(self, seed: int | None = None, buffer_size: int = 1000, **options: Any) -> Self:
        return self

    def with_format(self, type: Any = None) -> IterableDataset:
        return self._then(lambda rows: (row for one in rows for row in Dataset(held([one])).with_format(type)))

    def remove_columns(self, column_names: Any) -> IterableDataset:
        return self._then(
            lambda rows: (row for one in rows for row in Dataset(held([one])).remove_columns(column_names))
        )

    def rename_column(self, original_column_name: str, new_column_name: str) -> IterableDataset:
        names = {original_column_name: new_column_name}
        return self._then(lambda rows: ({names.get(name, name): value for name, value in row.items()} for row in rows))

    def set_epoch(self, epoch: Any) -> None:
        pass


def _in_batches(rows, size, make):
    some = []
    for row in rows:
        some.append(row)
        if len(some) == size:
            yield from make(some)
            some = []
    if some:
        yield from make(some)
