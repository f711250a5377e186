"""Subclasses of a class."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def get_all_subclasses_iterator(cls: Any) -> Iterator[Any]:
    for subclass in cls.__subclasses__():
        yield subclass
        yield from get_all_subclasses_iterator(subclass)


def get_all_subclasses(cls: Any) -> set:
    return set(get_all_subclasses_iterator(cls))
