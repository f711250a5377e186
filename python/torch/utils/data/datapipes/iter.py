"""torch.utils.data.datapipes.iter: the steps of a pipe that is walked."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from torch.utils.data.collate import default_collate

from .datapipe import DataChunk, IterDataPipe, functional_datapipe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any


class IterableWrapper(IterDataPipe):
    def __init__(self, iterable: Iterable, deepcopy: bool = True) -> None:
        self.iterable = iterable

    def __iter__(self) -> Iterator:
        yield from self.iterable

    def __len__(self) -> int:
        return len(self.iterable)


class _Step(IterDataPipe):
    """A step behind another pipe; as long as that one, unless it says otherwise."""

    def __init__(self, datapipe: Any) -> None:
        self.datapipe = datapipe

    def __len__(self) -> int:
        return len(self.datapipe)


@functional_datapipe("map")
class Mapper(_Step):
    def __init__(self, datapipe: Any, fn: Callable, input_col: Any = None, output_col: Any = None) -> None:
        super().__init__(datapipe)
        self.fn, self.input_col = fn, input_col

    def __iter__(self) -> Iterator:
        for item in self.datapipe:
            yield self.fn(item if self.input_col is None else item[self.input_col])


@functional_datapipe("filter")
class Filter(_Step):
    def __init__(self, datapipe: Any, filter_fn: Callable, input_col: Any = None) -> None:
        super().__init__(datapipe)
        self.filter_fn = filter_fn

    def __iter__(self) -> Iterator:
        return (item for item in self.datapipe if self.filter_fn(item))


@functional_datapipe("batch")
class Batcher(_Step):
    def __init__(self, datapipe: Any, batch_size: int, drop_last: bool = False, wrapper_class: Any = DataChunk) -> None:
        super().__init__(datapipe)
        self.batch_size, self.drop_last, self.wrapper_class = batch_size, drop_last, wrapper_class

    def __iter__(self) -> Iterator:
        batch = []
        for item in self.datapipe:
            batch.append(item)
            if len(batch) == self.batch_size:
                yield self.wrapper_class(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.wrapper_class(batch)

    def __len__(self) -> int:
        count = len(self.datapipe)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


@functional_datapipe("unbatch")
class UnBatcher(_Step):
    def __init__(self, datapipe: Any, unbatch_level: int = 1) -> None:
        super().__init__(datapipe)

    def __iter__(self) -> Iterator:
        return (item for batch in self.datapipe for item in batch)


@functional_datapipe("collate")
class Collator(_Step):
    def __init__(self, datapipe: Any, conversion: Any = None, collate_fn: Callable | None = None) -> None:
        super().__init__(datapipe)
        self.collate_fn = collate_fn or conversion or default_collate

    def __iter__(self) -> Iterator:
        return (self.collate_fn(item) for item in self.datapipe)


@functional_datapipe("shuffle")
class Shuffler(_Step):
    def __init__(self, datapipe: Any, *, buffer_size: int = 10000, unbatch_level: int = 0) -> None:
        super().__init__(datapipe)

    def set_seed(self, seed: int) -> Shuffler:
        self.seed = seed
        return self

    def __iter__(self) -> Iterator:
        items = list(self.datapipe)
        random.shuffle(items)
        yield from items


@functional_datapipe("concat")
class Concater(IterDataPipe):
    def __init__(self, *datapipes: Any) -> None:
        self.datapipes = datapipes

    def __iter__(self) -> Iterator:
        return (item for pipe in self.datapipes for item in pipe)

    def __len__(self) -> int:
        return sum(map(len, self.datapipes))


@functional_datapipe("zip")
class Zipper(Concater):
    def __iter__(self) -> Iterator:
        return zip(*self.datapipes)

    def __len__(self) -> int:
        return min(map(len, self.datapipes))


@functional_datapipe("sharding_filter")
class ShardingFilter(_Step):
    """All items: the loader works in this process."""

    def __iter__(self) -> Iterator:
        return iter(self.datapipe)


MapperIterDataPipe, FilterIterDataPipe, BatcherIterDataPipe, CollatorIterDataPipe = Mapper, Filter, Batcher, Collator
