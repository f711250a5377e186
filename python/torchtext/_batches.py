"""Iterators of torchtext before 0.9 and of `legacy`: batches of examples of one length, and of one long text."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING


from ._examples import Dataset

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Self


class Batch:
    """One tensor a field."""

    def __init__(self, data: Any = None, dataset: Any = None, device: Any = None) -> None:
        if data is None:
            return
        self.batch_size, self.dataset, self.fields = len(data), dataset, dataset.fields.keys()
        self.input_fields = [
            name for name, field in dataset.fields.items() if field is not None and not field.is_target
        ]
        self.target_fields = [name for name, field in dataset.fields.items() if field is not None and field.is_target]
        for name, field in dataset.fields.items():
            if field is not None:
                setattr(self, name, field.process([getattr(one, name) for one in data], device=device))

    @classmethod
    def fromvars(cls, dataset: Any, batch_size: int, train: Any = None, **named: Any) -> Self:
        made = cls()
        made.batch_size, made.dataset, made.fields = batch_size, dataset, dataset.fields.keys()
        made.input_fields, made.target_fields = list(named)[:1], list(named)[1:]
        vars(made).update(named)
        return made

    def __len__(self) -> int:
        return self.batch_size

    def __iter__(self) -> Iterator:
        yield self._values(self.input_fields)
        yield self._values(self.target_fields)

    def _values(self, names):
        found = tuple(getattr(self, name) for name in names)
        return None if not found else found[0] if len(found) == 1 else found


def batch(data: Iterable, batch_size: int, batch_size_fn: Callable | None = None) -> Iterator[list]:
    """Lists of so many examples, or of so much as a function says of each one more."""
    size = batch_size_fn or (lambda new, count, sofar: count)
    made, sofar = [], 0
    for one in data:
        made.append(one)
        sofar = size(one, len(made), sofar)
        if sofar == batch_size:
            yield made
            made, sofar = [], 0
        elif sofar > batch_size:
            yield made[:-1]
            made = made[-1:]
            sofar = size(one, 1, 0)
    if made:
        yield made


def pool(
    data: Iterable,
    batch_size: int,
    key: Callable,
    batch_size_fn: Callable | None = None,
    random_shuffler: Any = None,
    shuffle: bool = False,
    sort_within_batch: bool = False,
) -> Iterator[list]:
    """Batches of alike examples out of a hundred batches' worth."""
    for part in batch(data, batch_size * 100, batch_size_fn):
        made = list(batch(sorted(part, key=key) if sort_within_batch else part, batch_size, batch_size_fn))
        yield from (random_shuffler or RandomShuffler())(made) if shuffle else made


class RandomShuffler:
    """Hands on what it is given in another order."""

    def __call__(self, data: Iterable) -> list:
        made = list(data)
        random.shuffle(made)
        return made


class Iterator_:
    """Goes through a data set in batches."""

    def __init__(
        self,
        dataset: Any,
        batch_size: int,
        sort_key: Any = None,
        device: Any = None,
        batch_size_fn: Any = None,
        train: bool = True,
        repeat: bool = False,
        shuffle: bool | None = None,
        sort: bool | None = None,
        sort_within_batch: bool | None = None,
    ) -> None:
        self.dataset, self.batch_size, self.batch_size_fn, self.train = dataset, batch_size, batch_size_fn, train
        self.repeat = bool(repeat)
        self.shuffle = train if shuffle is None else shuffle
        self.sort = not train if sort is None else sort
        self.sort_within_batch = self.sort if sort_within_batch is None else sort_within_batch
        self.sort_key = sort_key or dataset.sort_key
        # up to 0.3 a device was a number, and -1 the CPU
        self.device = "cpu" if device == -1 else device
        self.random_shuffler = RandomShuffler()
        self.iterations, self._epochs = 0, 0

    @classmethod
    def splits(cls, datasets: Any, batch_sizes: Any = None, **options: Any) -> tuple:
        sizes = batch_sizes or [options.pop("batch_size")] * len(datasets)
        options.pop("batch_size", None)
        return tuple(
            cls(one, batch_size=size, train=i == 0, **options) for i, (one, size) in enumerate(zip(datasets, sizes))
        )

    @property
    def epoch(self) -> int:
        return math.floor(self.iterations / len(self))

    def data(self) -> list:
        if self.sort:
            return sorted(self.dataset, key=self.sort_key)
        return self.random_shuffler(self.dataset) if self.shuffle else list(self.dataset)

    def init_epoch(self) -> None:
        self.create_batches()
        if not self.repeat:
            self.iterations = 0

    def create_batches(self) -> None:
        self.batches = batch(self.data(), self.batch_size, self.batch_size_fn)

    def __len__(self) -> int:
        if self.batch_size_fn is not None:
            return sum(1 for _ in batch(self.dataset, self.batch_size, self.batch_size_fn))
        return math.ceil(len(self.dataset) / self.batch_size)

    def __iter__(self) -> Iterator:
        while True:
            self.init_epoch()
            for made in self.batches:
                self.iterations += 1
                if self.sort_within_batch:
                    made.reverse() if self.sort else made.sort(key=self.sort_key, reverse=True)
                yield Batch(made, self.dataset, self.device)
            if not self.repeat:
                return


class BucketIterator(Iterator_):
    """Batches of examples of nearly one length."""

    def create_batches(self) -> None:
        if self.sort:
            self.batches = batch(self.data(), self.batch_size, self.batch_size_fn)
        else:
            self.batches = pool(
                self.data(),
                self.batch_size,
                self.sort_key,
                self.batch_size_fn,
                self.random_shuffler,
                self.shuffle,
                self.sort_within_batch,
            )


class BPTTIterator(Iterator_):
    """One long text in columns, some rows at a time, and what follows each word."""

    def __init__(self, dataset: Any, batch_size: int, bptt_len: int, **options: Any) -> None:
        self.bptt_len = bptt_len
        super().__init__(dataset, batch_size, **options)

    def __len__(self) -> int:
        return math.ceil((len(self.dataset[0].text) / self.batch_size - 1) / self.bptt_len)

    def __iter__(self) -> Iterator:
        text, field = self.dataset[0].text, self.dataset.fields["text"]
        field.eos_token = None
        missing = math.ceil(len(text) / self.batch_size) * self.batch_size - len(text)
        numbers = field.numericalize([text + [field.pad_token] * missing], device=self.device)
        columns = numbers.view(self.batch_size, -1).t().contiguous()
        pairs = Dataset(self.dataset.examples, [("text", field), ("target", field)])
        while True:
            for i in range(0, len(self) * self.bptt_len, self.bptt_len):
                self.iterations += 1
                rows = min(self.bptt_len, len(columns) - i - 1)
                made = (columns[i : i + rows], columns[i + 1 : i + 1 + rows])
                if field.batch_first:
                    made = tuple(part.t().contiguous() for part in made)
                yield Batch.fromvars(pairs, self.batch_size, text=made[0], target=made[1])
            if not self.repeat:
                return
