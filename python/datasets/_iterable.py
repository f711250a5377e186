"""A data set that is read one row after another."""

from ._dataset import Dataset
from ._rows import held


class IterableDataset:
    """`rows` is a data set, or a function that gives an iterator."""

    def __init__(self, rows, steps=()):
        self._rows, self._steps = rows, steps

    @classmethod
    def from_generator(cls, generator, features=None, gen_kwargs=None, split=None):
        return cls(lambda: generator(**(gen_kwargs or {})))

    def _then(self, step):
        return IterableDataset(self._rows, (*self._steps, step))

    def __iter__(self):
        found = iter(self._rows() if callable(self._rows) else self._rows)
        for step in self._steps:
            found = step(found)
        return found

    @property
    def features(self):
        return self._rows.features if isinstance(self._rows, Dataset) and not self._steps else None

    @property
    def column_names(self):
        first = next(iter(self), None)
        return None if first is None else list(first)

    def map(self, function=None, batched=False, batch_size=1000, **options):
        def step(rows):
            if not batched:
                return (row for one in rows for row in Dataset(held([one])).map(function, **options))
            return _in_batches(rows, batch_size, lambda some: Dataset(held(some)).map(function, batched=True, batch_size=batch_size, **options))  # fmt: skip

        return self._then(step)

    def filter(self, function=None, **options):
        return self._then(
            lambda rows: (row for one in rows for row in Dataset(held([one])).filter(function, **options))
        )

    def take(self, n):
        return self._then(lambda rows: (row for _, row in zip(range(n), rows)))

    def skip(self, n):
        def step(rows):
            for _ in zip(range(n), rows):
                pass
            return rows

        return self._then(step)

    def shuffle(self, seed=None, buffer_size=1000, **options):
        return self

    def with_format(self, type=None):
        return self._then(lambda rows: (row for one in rows for row in Dataset(held([one])).with_format(type)))

    def remove_columns(self, column_names):
        return self._then(
            lambda rows: (row for one in rows for row in Dataset(held([one])).remove_columns(column_names))
        )

    def rename_column(self, original_column_name, new_column_name):
        names = {original_column_name: new_column_name}
        return self._then(lambda rows: ({names.get(name, name): value for name, value in row.items()} for row in rows))

    def set_epoch(self, epoch):
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
