"""datasets.utils.py_utils: helpers that programs import."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import islice
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NoReturn


def iflatmap_unordered(*_: Any, **__: Any) -> NoReturn:
    raise NotImplementedError("vramscope runs no pool for datasets")


def iter_batched(iterable: Any, n: int) -> Iterator[Any]:
    """Lists of n, the last one shorter."""
    waiting = iter(iterable)
    while batch := list(islice(waiting, n)):
        yield batch


temporary_assignment = lambda *_: nullcontext()
__getattr__ = lacks(__name__)
