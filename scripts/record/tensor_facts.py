"""Records how PyTorch types, shapes and strides results, for test/tensor: needs any build of torch, and no GPU.

usage: tensor_facts.py OUT.json

Each fact is what a function of PyTorch gave for tensors made from a seed: sizes and strides in elements, dtypes by name, null where it refused.
"""

from __future__ import annotations

import itertools
import json
import pathlib
import random
import sys
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from torch import Tensor


NAMES = (
    "bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex32 complex64 complex128"
).split()
COMMON = [getattr(torch, name) for name in "bool uint8 int64 float16 bfloat16 float32 float64 complex64".split()]
NUMBERS = {"bool": True, "int": 3, "float": 1.5, "complex": 1j}


def named(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def attempt(function: Callable, *arguments: Any) -> Any:
    """What a function gives, or None where it raises."""
    try:
        return function(*arguments)
    except (RuntimeError, IndexError, TypeError):
        return None


def promotions() -> Iterator[Any]:
    for first, second in itertools.product(NAMES, NAMES):
        made = attempt(torch.promote_types, getattr(torch, first), getattr(torch, second))
        yield [first, second, made and named(made)]


def result_types() -> Iterator[Any]:
    """A tensor of rows or one number, with another or with a Python number."""
    for dtype, rank in itertools.product(COMMON, (0, 1)):
        tensor = torch.zeros([2] * rank, dtype=dtype)
        for other, other_rank in itertools.product(COMMON, (0, 1)):
            made = torch.result_type(tensor, torch.zeros([2] * other_rank, dtype=other))
            yield [[named(dtype), rank], [named(other), other_rank], named(made)]
        for kind, number in NUMBERS.items():
            yield [[named(dtype), rank], kind, named(torch.result_type(tensor, number))]


def layout(tensor: Tensor) -> list:
    return [list(tensor.shape), list(tensor.stride())]


def strided(chance: Any, rank: int) -> Any:
    """A tensor of some layout: permuted, sliced with steps, expanded, with sizes of one."""
    sizes = [chance.choice((1, 2, 3, 4, 6)) for _ in range(rank)]
    steps = [chance.choice((1, 1, 1, 2)) for _ in sizes]
    tensor = torch.empty([size * step for size, step in zip(sizes, steps)])
    tensor = tensor[tuple(slice(None, None, step) for step in steps)] if rank else tensor
    if chance.random() < 0.5:
        tensor = tensor.permute(chance.sample(range(rank), rank))
    if rank and chance.random() < 0.2:
        tensor = tensor.expand(*[4 if size == 1 else size for size in tensor.shape])
    return tensor


def regrouped(chance: Any, count: int) -> list:
    """Another shape of as many elements."""
    shape = []
    while count > 1 and len(shape) < 4:
        part = chance.choice([part for part in range(1, count + 1) if count % part == 0])
        shape.append(part)
        count //= part
    shape.append(count)
    chance.shuffle(shape)
    return shape


def views(chance: Any, count: int) -> Iterator[Any]:
    for _ in range(count):
        tensor = strided(chance, chance.randint(0, 4))
        shape = regrouped(chance, tensor.numel())
        made = attempt(tensor.view, shape)
        yield [*layout(tensor), shape, None if made is None else list(made.stride())]


def elementwise(chance: Any, count: int) -> Iterator[Any]:
    """Sizes and strides of a sum of two or three tensors that broadcast."""
    for _ in range(count):
        first = strided(chance, chance.randint(1, 4))
        others = []
        for _ in range(chance.choice((0, 1, 1, 2))):
            other = strided(chance, first.dim())
            same = torch.empty_strided(first.shape, other.stride()) if chance.random() < 0.5 else None
            others.append(first if same is None or chance.random() < 0.3 else same)
            if chance.random() < 0.3 and first.dim() > 1:
                others[-1] = others[-1].select(0, 0)
        tensors = [first, *others]
        call = {1: torch.neg, 2: torch.add, 3: torch.addcmul}[len(tensors)]
        made = attempt(call, *tensors)
        if made is not None:
            yield [list(map(layout, tensors)), *layout(made)]


def likes(chance: Any, count: int) -> Iterator[Any]:
    for _ in range(count):
        tensor = strided(chance, chance.randint(0, 5))
        yield [*layout(tensor), list(torch.empty_like(tensor).stride())]


def formats(chance: Any, count: int) -> Iterator[Any]:
    for _ in range(count):
        tensor = strided(chance, 4)
        if chance.random() < 0.5:
            tensor = tensor.contiguous(memory_format=torch.channels_last)
        other = torch.empty_strided(tensor.shape, tensor.stride()) if chance.random() < 0.7 else strided(chance, 4)
        joined = attempt(torch.cat, [tensor, other], 1)
        yield [
            layout(tensor),
            layout(other),
            tensor.is_contiguous(),
            tensor.is_contiguous(memory_format=torch.channels_last),
            None if joined is None else layout(joined),
        ]


def sizes_inferred(chance: Any, count: int) -> Iterator[Any]:
    for _ in range(count):
        total = chance.choice((0, 1, 6, 12, 24, 60))
        shape = [chance.choice((-1, 1, 2, 3, 4, 5, 6, 0)) for _ in range(chance.randint(0, 4))]
        made = attempt(torch.empty(total).reshape, shape)
        yield [shape, total, None if made is None else list(made.shape)]


def broadcasts(chance: Any, count: int) -> Iterator[Any]:
    for _ in range(count):
        first, second = ([chance.choice((0, 1, 1, 2, 3)) for _ in range(chance.randint(0, 4))] for _ in range(2))
        made = attempt(torch.broadcast_shapes, first, second)
        yield [first, second, None if made is None else list(made)]


def storages(chance: Any, count: int) -> Iterator[Any]:
    for _ in range(count):
        sizes = [chance.choice((0, 1, 2, 3, 7)) for _ in range(chance.randint(0, 4))]
        strides = [chance.choice((0, 1, 2, 7, 21)) for _ in sizes]
        name = chance.choice(("bool", "bfloat16", "float32", "complex64"))
        made = torch.empty_strided(sizes, strides, dtype=getattr(torch, name))
        yield [sizes, strides, name, made.untyped_storage().nbytes()]


def main() -> None:
    chance = random.Random(20261124)
    facts = {
        "torch": torch.__version__,
        "promotions": list(promotions()),
        "resultTypes": list(result_types()),
        "views": list(views(chance, 300)),
        "elementwise": list(elementwise(chance, 300)),
        "likes": list(likes(chance, 200)),
        "formats": list(formats(chance, 120)),
        "sizesInferred": list(sizes_inferred(chance, 120)),
        "broadcasts": list(broadcasts(chance, 120)),
        "storages": list(storages(chance, 120)),
    }
    lines = [
        f" {json.dumps(name)}: {json.dumps(rows) if isinstance(rows, str) else '[' + ','.join(chr(10) + '  ' + json.dumps(row) for row in rows) + ']'}"
        for name, rows in facts.items()
    ]
    pathlib.Path(sys.argv[1]).write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
