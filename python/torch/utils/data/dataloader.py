"""DataLoader. Workers are not processes here: samples are made in this one, one batch when it is asked for."""

from __future__ import annotations

import itertools
import typing
from typing import TYPE_CHECKING

from torch import _C
from torch._release import rules

from .collate import default_collate, default_convert, pin
from .dataset import IterableDataset
from .sampler import BatchSampler, RandomSampler, SequentialSampler, length

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Self

    import torch
    from torch import Tensor
    from torch.utils.data.sampler import Sampler


def get_worker_info() -> None:
    return None


class _Endless:
    def __iter__(self) -> Iterator:
        return itertools.repeat(None)


_MOST_SKIPPED = 10_000


_Kind = typing.TypeVar("_Kind", covariant=True)


class DataLoader(typing.Generic[_Kind]):
    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Sampler | Iterable | None = None,
        batch_sampler: Sampler | Iterable[list] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: torch.Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError("prefetch_factor option should be non-negative")
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        if multiprocessing_context is not None and num_workers == 0:
            raise ValueError(
                "multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got num_workers=0"
            )
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        self._iterable = isinstance(dataset, IterableDataset)
        if self._iterable and (shuffle or sampler is not None or batch_sampler is not None):
            raise ValueError("DataLoader with IterableDataset: expected unspecified shuffle, sampler and batch_sampler")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size = None
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None:
            if self._iterable:
                sampler = _Endless()
            else:
                sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.dataset, self.batch_size, self.drop_last = dataset, batch_size, drop_last
        self.sampler, self.batch_sampler, self.generator = sampler, batch_sampler, generator
        self.num_workers, self.pin_memory, self.timeout = num_workers, pin_memory, timeout
        self.multiprocessing_context, self.pin_memory_device, self.in_order = (
            multiprocessing_context,
            pin_memory_device,
            in_order,
        )
        self.worker_init_fn, self.prefetch_factor, self.persistent_workers = (
            worker_init_fn,
            prefetch_factor,
            persistent_workers,
        )
        self.collate_fn = collate_fn or (default_collate if batch_sampler is not None else default_convert)

    def __iter__(self) -> _BaseDataLoaderIter:
        return (_MultiProcessingDataLoaderIter if self.num_workers else _SingleProcessDataLoaderIter)(self)

    def __len__(self) -> int:
        if self._iterable:
            n = length(self.dataset)
            if self.batch_size is None:
                return n
            return n // self.batch_size if self.drop_last else -(-n // self.batch_size)
        return length(self.sampler if self.batch_sampler is None else self.batch_sampler)


class _BaseDataLoaderIter:
    """An object, not a generator: between two batches it holds none of the batch."""

    def __init__(self, loader: DataLoader) -> None:
        self._loader = loader
        self._indices = iter(loader.sampler if loader.batch_sampler is None else loader.batch_sampler)
        self._items = iter(loader.dataset) if loader._iterable else None
        if loader.generator is None:
            _C._js.drawSeed()  # the base seed of workers

    def __iter__(self) -> Self:
        return self

    def __len__(self) -> int:
        return length(self._loader)

    def __getattr__(self, name: str) -> Any:
        if name == "next" and rules.loader_iterators_have_next:
            return self.__next__
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def _fetch(self, index):
        loader = self._loader
        if self._items is not None:
            if loader.batch_sampler is None:
                data = next(self._items)
            else:
                data = list(itertools.islice(self._items, len(index)))
                if not data or (loader.drop_last and len(data) < len(index)):
                    raise StopIteration
        elif loader.batch_sampler is None:
            data = loader.dataset[index]
        else:
            many = getattr(loader.dataset, "__getitems__", None)
            data = many(index) if callable(many) else [loader.dataset[i] for i in index]
        return loader.collate_fn(data)

    def _skip_passes(self, count):
        """Goes on without making the batches between; an iterable dataset cannot."""
        if self._items is not None or count > _MOST_SKIPPED:
            return False
        for _ in itertools.islice(self._indices, count):
            pass
        return True

    def __next__(self) -> dict[str, Tensor] | list[Tensor]:
        data = self._fetch(next(self._indices))
        return pin(data) if self._loader.pin_memory else data


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """One whose batches this process makes."""


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """One whose batches workers would make; here this process does."""
