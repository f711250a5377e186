"""Samplers. Short orders are those of PyTorch's generator, longer ones are shuffled by Python's: the same run gives the same order."""

from __future__ import annotations

import typing
import itertools
import math
import random
from typing import TYPE_CHECKING

import torch
from torch import _C, _ranked
from torch._types import Generator

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any


_order = random.Random(0)


class _Shuffled:
    """The numbers below n in another order, without a list of them: multiples of a number that has no divisor in common with n."""

    def __init__(self, n: int) -> None:
        step = int(n * 0.6180339887498949) | 1
        while math.gcd(step, n) != 1:
            step += 1
        self._n, self._step, self._start = n, step, _order.randrange(n)

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, index: int) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._n))]
        if not -self._n <= index < self._n:
            raise IndexError("index out of range")
        return (self._start + index % self._n * self._step) % self._n

    def __iter__(self) -> Iterator:
        return map(self.__getitem__, range(self._n))


def shuffled(n: int) -> Any:
    if n > _LONGEST:
        return _Shuffled(n)
    order = list(range(n))
    _order.shuffle(order)
    return order


_LONGEST = 4096  # numbers that are known one by one
_AT_ONCE = 32


def _drawn(tensor):
    return [int(float(v)) for v in _C._js.values(tensor._h).split(",")]


def _generator(generator):
    """The sampler's own generator, or one that the default generator seeds."""
    return generator if generator is not None else Generator().manual_seed(_C._js.drawSeed())


def _permutation(n, generator):
    import torch

    return _drawn(torch.randperm(n, generator=generator)) if 0 < n <= _LONGEST else shuffled(n)


_Kind = typing.TypeVar("_Kind", covariant=True)


def length(items: Any) -> int:
    """len(), also where it is larger than lengths can be in an interpreter of 32 bits: some data sets only pretend one."""
    try:
        return len(items)
    except OverflowError:
        return type(items).__len__(items)


class Sampler(typing.Generic[_Kind]):
    def __init__(self, data_source: Any = None) -> None:
        pass

    def __iter__(self) -> Iterator:
        raise NotImplementedError


class SequentialSampler(Sampler):
    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(length(self.data_source)))

    def __len__(self) -> int:
        return length(self.data_source)


class RandomSampler(Sampler):
    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        self.data_source, self.replacement, self._num_samples, self.generator = (
            data_source,
            replacement,
            num_samples,
            generator,
        )
        if self.num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={self.num_samples}")

    @property
    def num_samples(self) -> int:
        return length(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        import torch

        n = length(self.data_source)
        generator = _generator(self.generator)
        if self.replacement:
            for _ in range(self.num_samples // _AT_ONCE):
                yield from _drawn(torch.randint(n, (_AT_ONCE,), generator=generator))
            rest = self.num_samples % _AT_ONCE
            if rest:
                yield from _drawn(torch.randint(n, (rest,), generator=generator))
            return
        for _ in range(self.num_samples // n):
            yield from _permutation(n, generator)
        rest = self.num_samples % n
        if rest:
            yield from _permutation(n, generator)[:rest]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    def __init__(self, indices: Sequence[int], generator: torch.Generator | None = None) -> None:
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        return (self.indices[i] for i in shuffled(len(self.indices)))

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator: torch.Generator | None = None,
    ) -> None:
        if num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={num_samples}")
        self.weights, self.num_samples, self.replacement = weights, num_samples, replacement

    def __iter__(self) -> Iterator[int]:
        n = len(self.weights)
        if self.replacement:
            return iter([_order.randrange(n) for _ in range(self.num_samples)])
        return iter(shuffled(n)[: self.num_samples])

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler):
    def __init__(self, sampler: Sampler | Iterable[int], batch_size: int, drop_last: bool) -> None:
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        source = iter(self.sampler)
        while True:
            batch = list(itertools.islice(source, self.batch_size))
            if not batch or (self.drop_last and len(batch) < self.batch_size):
                return
            yield batch

    def __len__(self) -> int:
        if self.drop_last:
            return length(self.sampler) // self.batch_size
        return (length(self.sampler) + self.batch_size - 1) // self.batch_size


class DistributedSampler(Sampler):
    """Every `num_replicas`th sample, beginning with that of this rank."""

    def __init__(
        self,
        dataset: Any,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        self.dataset, self.shuffle, self.drop_last, self.epoch = dataset, shuffle, drop_last, 0
        self.num_replicas = torch.distributed.get_world_size() if num_replicas is None else num_replicas
        self.rank = torch.distributed.get_rank() if rank is None else rank
        if self.rank >= self.num_replicas or self.rank < 0:
            last = self.num_replicas - 1
            raise ValueError(f"Invalid rank {self.rank}, rank should be in the interval [0, {last}]")
        n = len(dataset)
        self.num_samples = n // self.num_replicas if drop_last else -(-n // self.num_replicas)
        self.total_size = self.num_samples * self.num_replicas

    def set_epoch(self, epoch: int) -> None:
        self.epoch = epoch

    def __iter__(self) -> Iterator:
        order = shuffled(len(self.dataset)) if self.shuffle else list(range(len(self.dataset)))
        filled = list(itertools.islice(itertools.cycle(order), self.total_size))
        return iter(filled[_ranked.draws(self.rank) : self.total_size : self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples
