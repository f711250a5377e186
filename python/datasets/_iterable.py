"""A data set that is read one row after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch.utils.data

from ._dataset import Dataset
from ._facts import Facts, Readers
from ._rows import held

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Self


class IterableDataset(Facts, Readers, torch.utils.data.IterableDataset):
    """`rows` is a data set, or a function that gives an iterator."""

    def __init__(self, rows: Any, steps: Sequence = ()) -> None:
        self._rows, self._steps, self.split = rows, steps, getattr(rows, "split", None)
        self._source = getattr(rows, "_source", self._source)

    @classmethod
    def _from(cls, builder: str, paths: Any, split: str | None, **options: Any) -> Any:
        return super()._from(builder, paths, split, streaming=True)

    @classmethod
    def from_list(cls, mapping: Any) -> Self:
        return cls(Dataset.from_list(mapping))

    @classmethod
    def from_dict(cls, mapping: Any) -> Self:
        return cls(Dataset.from_dict(mapping))

    @classmethod
    def from_generator(
        cls, generator: Callable, features: Any = None, gen_kwargs: Any = None, split: str | None = None
    ) -> Self:
        return cls(lambda: generator(**(gen_kwargs or {})))

    def _then(self, step):
        made = IterableDataset(self._rows, (*self._steps, step))
        made.split, made._source = self.split, self._source
        return made

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

    def rename_columns(self, column_mapping: Any) -> IterableDataset:
        return self._then(
            lambda rows: ({column_mapping.get(name, name): value for name, value in row.items()} for row in rows)
        )

    def select_columns(self, column_names: Any) -> IterableDataset:
        names = [column_names] if isinstance(column_names, str) else list(column_names)
        return self._then(lambda rows: ({name: row[name] for name in names} for row in rows))

    def add_column(self, name: str, column: Any) -> IterableDataset:
        return self._then(lambda rows: ({**row, name: value} for row, value in zip(rows, column)))

    def cast(self, features: Any) -> Self:
        return self

    def cast_column(self, column: str, feature: Any) -> Self:
        return self

    def repeat(self, num_times: int | None) -> IterableDataset:
        """Endless without a number."""
        whole = self

        def again():
            count = 0
            while num_times is None or count < num_times:
                yield from whole
                count += 1

        return IterableDataset(again)

    def batch(self, batch_size: int, drop_last_batch: bool = False) -> IterableDataset:
        whole = lambda some: [{name: [row[name] for row in some] for name in some[0]}]  # noqa: E731
        return self._then(lambda rows: _in_batches(rows, batch_size, whole, drop_last_batch))

    def iter(self, batch_size: int, drop_last_batch: bool = False) -> Any:
        return iter(self.batch(batch_size, drop_last_batch))

    def shard(self, num_shards: int, index: int, contiguous: bool = True) -> IterableDataset:
        return self._then(lambda rows: (row for at, row in enumerate(rows) if at % num_shards == index))

    num_shards = n_shards = 1

    def _joined(self, sets, axis):
        """What `concatenate_datasets` gives for streams."""
        if axis == 1:
            beside = lambda: ({name: value for row in rows for name, value in row.items()} for rows in zip(*sets))  # noqa: E731
            return IterableDataset(beside)
        return IterableDataset(lambda: (row for one in sets for row in one))

    def _in_turn(self, sets):
        """What `interleave_datasets` gives for streams: one row of each, until one has no more."""
        return IterableDataset(lambda: (row for rows in zip(*sets) for row in rows))

    @property
    def num_columns(self) -> int | None:
        names = self.column_names
        return None if names is None else len(names)

    def to_list(self) -> list:
        return list(self)

    def state_dict(self) -> dict:
        return {}

    def load_state_dict(self, state_dict: dict) -> None:
        pass

    def set_epoch(self, epoch: Any) -> None:
        pass


def _in_batches(rows, size, make, drops_last=False):
    some = []
    for row in rows:
        some.append(row)
        if len(some) == size:
            yield from make(some)
            some = []
    if some and not drops_last:
        yield from make(some)
