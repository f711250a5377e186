"""A table of rows with the methods that programs call."""

from __future__ import annotations

import random
from collections import abc
from typing import TYPE_CHECKING

from . import _cached
from ._facts import Facts, Formatted, Readers
from ._features import Features
from ._formats import as_table, formatted, without_table
from ._rows import Rows, batch_of, filtered, held, mapped, mapped_batches, rows_of
from .fingerprint import generate_random_fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Self


class Column(abc.Sequence):
    """One column; its values are made when asked for."""

    def __init__(self, dataset: Any, name: str) -> None:
        self._dataset, self._name = dataset, name

    def __len__(self) -> int:
        return len(self._dataset)

    def __getitem__(self, key: Any) -> Any:
        return self._dataset[key][self._name]

    def __iter__(self) -> Any:
        return (row[self._name] for row in self._dataset)

    def __array__(self, *_: Any, **__: Any) -> Any:
        import numpy as np

        return np.array(list(self))

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other)

    __hash__ = None


class Dataset(Facts, Readers, Formatted):
    def __init__(
        self,
        rows: Any,
        features: Any = None,
        split: str | None = None,
        format: tuple = (None, None, False),
        transform: Any = None,
    ) -> None:
        self._rows, self._features, self.split = rows, features, split
        self._format, self._transform = format, transform
        self._fingerprint = generate_random_fingerprint()
        self._earlier = None  # what this was mapped from

    @classmethod
    def from_dict(cls, mapping: Any, features: Any = None, info: Any = None, split: str | None = None) -> Self:
        return cls(held(rows_of(mapping)), features, split)

    @classmethod
    def from_file(cls, filename: str, **options: Any) -> Dataset:
        return _cached.kept(filename)

    def _get_cache_file_path(self, fingerprint: str) -> str:
        return _cached.path_of(fingerprint)

    @classmethod
    def from_list(cls, mapping: Any, features: Any = None, info: Any = None, split: str | None = None) -> Self:
        return cls(held([dict(row) for row in mapping]), features, split)

    @classmethod
    def from_generator(
        cls,
        generator: Callable,
        features: Any = None,
        cache_dir: str | None = None,
        keep_in_memory: bool = False,
        gen_kwargs: Any = None,
        **options: Any,
    ) -> Any:
        return cls.from_list(list(generator(**(gen_kwargs or {}))), features)

    @classmethod
    def from_pandas(
        cls, df: Any, features: Any = None, info: Any = None, split: str | None = None, preserve_index: Any = None
    ) -> Any:
        return cls.from_list(df.to_dict("records"), features, split=split)

    def to_pandas(self, batch_size: int | None = None, batched: bool = False) -> Any:
        """A pandas.DataFrame of all rows, or frames of `batch_size` rows each."""
        import pandas

        rows = list(self)
        if not batched:
            return pandas.DataFrame(rows)
        size = batch_size or 1000
        return (pandas.DataFrame(rows[at : at + size]) for at in range(0, len(rows), size))

    def _with(self, rows, features=None, **changes):
        settings = {"split": self.split, "format": self._format, "transform": self._transform, **changes}
        return Dataset(rows, features, **settings).come_from(*self._source)

    @property
    def features(self) -> Any:
        if self._features is None:
            self._features = Features.of(self._rows.get(0), self._earlier) if len(self._rows) else Features()
        return self._features

    @property
    def column_names(self) -> list:
        return list(self.features)

    @property
    def num_rows(self) -> int:
        return len(self._rows)

    @property
    def num_columns(self) -> int:
        return len(self.features)

    @property
    def shape(self) -> tuple:
        return self.num_rows, self.num_columns

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"Dataset({{\n    features: {self.column_names},\n    num_rows: {len(self)}\n}})"

    def __iter__(self) -> Any:
        return (self[at] for at in range(len(self)))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self.features and hasattr(self.features, "ask"):
                self.features.ask(key)
            if key not in self.features:
                raise KeyError(f"Column {key} not in the dataset. Current columns in the dataset: {self.column_names}")
            return Column(self, key)
        if isinstance(key, slice):
            return self._batch(range(*key.indices(len(self))))
        if hasattr(key, "__iter__"):
            return self._batch([int(at) for at in key])
        at = int(key)
        if not -len(self) <= at < len(self):
            raise IndexError(f"Invalid key: {at} is out of bounds for size {len(self)}")
        row = self._rows.get(at % len(self))
        return formatted(row, self._format) if self._transform is None else self._transformed(row)

    def _transformed(self, row):
        return {name: values[0] for name, values in self._transform(batch_of([row])).items()}

    def __getitems__(self, keys: Any) -> list:
        if self._transform is None:
            return [self[at] for at in keys]
        return rows_of(self._batch(keys))

    def _batch(self, indices):
        rows = [self._rows.get(at % len(self)) for at in indices]
        batch = {name: [row[name] for row in rows] for name in self.column_names}
        return formatted(batch, self._format, several=True) if self._transform is None else self._transform(batch)

    def map(self, function: Callable | None=None, with_indices: bool=False, with_rank: bool=False, input_columns: Any=None, batched: bool=False, batch_size: int=1000, drop_last_batch: bool=False, remove_columns: Any=None, fn_kwargs: Any=None, **options: Any) -> Dataset:  # fmt: skip
        drop = {remove_columns} if isinstance(remove_columns, str) else set(remove_columns or ())
        columns = [input_columns] if isinstance(input_columns, str) else input_columns

        def call(inputs, place):
            if self._transform is not None:
                inputs = self._transform(inputs) if batched else self._transformed(inputs)
            inputs = inputs if columns is None else [inputs[name] for name in columns]
            extra = ([list(place) if batched else place] if with_indices else []) + ([0] if with_rank else [])
            arguments = inputs if columns is not None else [as_table(inputs) if self._format[0] == "arrow" else inputs]
            return without_table(function(*arguments, *extra, **(fn_kwargs or {})))

        make = mapped_batches(self._rows, call, drop, batch_size) if batched else mapped(self._rows, call, drop)
        made = self._with(make, options.get("features"))
        made._earlier = self if len(self) else None
        made._fingerprint = options.get("new_fingerprint") or made._fingerprint
        if options.get("cache_file_name") is not None:
            _cached.keep(options["cache_file_name"], made)
        return made

    def filter(self, function: Callable | None=None, with_indices: bool=False, with_rank: bool=False, input_columns: Any=None, batched: bool=False, batch_size: int=1000, fn_kwargs: Any=None, **options: Any) -> Dataset:  # fmt: skip
        columns = [input_columns] if isinstance(input_columns, str) else input_columns

        def keeps(row, at):
            if batched:
                row = {name: [value] for name, value in row.items()}
            arguments = [dict(row)] if columns is None else [row[name] for name in columns]
            answer = function(*arguments, *([[at] if batched else at] if with_indices else []), **(fn_kwargs or {}))
            return list(answer)[0] if batched else answer

        return self._with(filtered(self._rows, keeps), self._features)

    def select(self, indices: Any, **options: Any) -> Dataset:
        return self._with(self._rows.chosen(indices if isinstance(indices, range) else list(indices)), self._features)

    def shuffle(self, seed: int | None = None, generator: Any = None, **options: Any) -> Dataset:
        order = list(range(len(self))) if len(self) <= 10**6 else range(len(self))
        if isinstance(order, list):
            random.Random(seed).shuffle(order)
        return self._with(self._rows.chosen(order), self._features)

    def sort(self, column_names: Any, reverse: bool = False, **options: Any) -> Dataset:
        names = [column_names] if isinstance(column_names, str) else list(column_names)
        order = sorted(
            range(len(self)), key=lambda at: [self._rows.get(at)[name] for name in names], reverse=reverse is True
        )
        return self._with(self._rows.chosen(order), self._features)

    def take(self, n: int) -> Dataset:
        return self.select(range(min(n, len(self))))

    def skip(self, n: int) -> Dataset:
        return self.select(range(min(n, len(self)), len(self)))

    def repeat(self, num_times: int) -> Dataset:
        return concatenate_datasets([self] * max(num_times, 0)) if num_times > 0 else self.select(range(0))

    def batch(self, batch_size: int, drop_last_batch: bool = False, **options: Any) -> Dataset:
        """Rows of lists, one for each batch."""
        count = len(self) // batch_size if drop_last_batch else -(-len(self) // batch_size)
        at = lambda n: self._batch(range(n * batch_size, min((n + 1) * batch_size, len(self))))  # noqa: E731
        return self._with(Rows(count, at))

    def add_item(self, item: dict, **options: Any) -> Dataset:
        return concatenate_datasets([self, Dataset(held([dict(item)]))])

    def shard(self, num_shards: int, index: int, contiguous: bool = True, **options: Any) -> Dataset:
        each, rest = divmod(len(self), num_shards)
        start = each * index + min(index, rest)
        whole = range(start, start + each + (index < rest)) if contiguous else range(index, len(self), num_shards)
        return self.select(whole)

    def train_test_split(
        self,
        test_size: Any = None,
        train_size: Any = None,
        shuffle: bool = True,
        seed: int | None = None,
        **options: Any,
    ) -> Any:
        from ._guessed import GuessedFeatures
        from ._splits import DatasetDict

        if isinstance(self.features, GuessedFeatures) and isinstance(test_size, int) and test_size >= len(self):
            # how many rows there are is a guess, and whoever asks for so many knows of more
            return self.select(range(10 * test_size)).train_test_split(test_size, train_size, shuffle, seed)
        count = len(self)
        size = lambda share: round(share * count) if isinstance(share, float) else int(share)  # noqa: E731
        test = (
            size(test_size)
            if test_size is not None
            else (count - size(train_size) if train_size is not None else -(-count // 4))
        )
        whole = self.shuffle(seed=seed) if shuffle else self
        train = count - test if train_size is None else size(train_size)
        return DatasetDict(train=whole.select(range(train)), test=whole.select(range(count - test, count)))

    def remove_columns(self, column_names: Any, **options: Any) -> Dataset:
        gone = {column_names} if isinstance(column_names, str) else set(column_names)
        return self._kept([name for name in self.column_names if name not in gone])

    def select_columns(self, column_names: Any, **options: Any) -> Dataset:
        return self._kept([column_names] if isinstance(column_names, str) else list(column_names))

    def _kept(self, names):
        rows, features = self._rows, Features({name: self.features[name] for name in names})
        return self._with(Rows(len(rows), lambda at: {name: rows.get(at)[name] for name in names}), features)

    def rename_column(self, original_column_name: str, new_column_name: str, **options: Any) -> Dataset:
        return self.rename_columns({original_column_name: new_column_name})

    def rename_columns(self, column_mapping: Any, **options: Any) -> Dataset:
        rows, new = self._rows, lambda row: {column_mapping.get(name, name): value for name, value in row.items()}
        return self._with(Rows(len(rows), lambda at: new(rows.get(at))), Features(new(self.features)))

    def add_column(self, name: str, column: str, **options: Any) -> Dataset:
        rows, column = self._rows, list(column)
        return self._with(Rows(len(rows), lambda at: {**rows.get(at), name: column[at]}))

    def cast_column(self, column: str, feature: Any, **options: Any) -> Dataset:
        return self._with(self._rows, Features({**self.features, column: feature}))

    def cast(self, features: Any, **options: Any) -> Dataset:
        return self._with(self._rows, Features(features))

    def class_encode_column(self, column: str, **options: Any) -> Self:
        return self

    def align_labels_with_mapping(self, label2id: dict, label_column: str) -> Self:
        return self

    def unique(self, column: str) -> list:
        return list(dict.fromkeys(self[column]))

    def flatten_indices(self, **options: Any) -> Self:
        return self

    flatten = flatten_indices

    def to_list(self) -> list:
        return [self[at] for at in range(len(self))]

    def to_dict(self, **options: Any) -> dict:
        return {name: list(self[name]) for name in self.column_names}

    def iter(self, batch_size: int, drop_last_batch: bool = False) -> Any:
        end = len(self) - len(self) % batch_size if drop_last_batch else len(self)
        return (self[at : at + batch_size] for at in range(0, end, batch_size))

    def to_iterable_dataset(self, num_shards: int = 1) -> Any:
        from ._iterable import IterableDataset

        return IterableDataset(self)

    def with_format(
        self, type: Any = None, columns: Sequence[str] | None = None, output_all_columns: bool = False, **options: Any
    ) -> Dataset:
        return self._with(self._rows, self._features, format=(type, columns, output_all_columns), transform=None)

    def set_format(
        self, type: Any = None, columns: Sequence[str] | None = None, output_all_columns: bool = False, **options: Any
    ) -> None:
        self._format, self._transform = (type, columns, output_all_columns), None

    def reset_format(self) -> None:
        self.set_format()

    def with_transform(
        self, transform: Any, columns: Sequence[str] | None = None, output_all_columns: bool = False
    ) -> Dataset:
        return self._with(self._rows, self._features, transform=transform)

    def set_transform(
        self, transform: Any, columns: Sequence[str] | None = None, output_all_columns: bool = False
    ) -> None:
        self._transform = transform

    def save_to_disk(self, dataset_path: str, **options: Any) -> None:
        from torch._stand_ins import note

        note("dataset_not_written", "name", str(dataset_path))

    to_json = to_csv = to_parquet = push_to_hub = save_to_disk

    def cleanup_cache_files(self) -> int:
        return 0


def concatenate_datasets(dsets: Any, info: Any = None, split: str | None = None, axis: int = 0) -> Any:
    """One after another, or, with axis 1, beside each other."""
    sets = list(dsets)
    if not isinstance(sets[0], Dataset):
        return sets[0]._joined(sets, axis)
    if axis == 1:
        joined = lambda at: {name: value for one in sets for name, value in one._rows.get(at).items()}  # noqa: E731
        return sets[0]._with(Rows(len(sets[0]), joined))
    indices = [(one._rows, at) for one in sets for at in range(len(one))]
    return sets[0]._with(Rows(len(indices), lambda at: indices[at][0].get(indices[at][1])), sets[0]._features)


def interleave_datasets(datasets: Any, probabilities: Any = None, seed: int | None = None, **options: Any) -> Any:
    """One row of each in turn, until one has no more."""
    sets = list(datasets)
    if not isinstance(sets[0], Dataset):
        return sets[0]._in_turn(sets)
    count = min(map(len, sets)) * len(sets)
    return sets[0]._with(Rows(count, lambda at: sets[at % len(sets)]._rows.get(at // len(sets))))
