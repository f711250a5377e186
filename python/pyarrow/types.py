"""pyarrow.types: what kind a column's type is; those of tables here are Python's."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def _of(kind):
    return getattr(kind, "of", kind)


def is_list(kind: Any) -> bool:
    return _of(kind) is list


is_large_list = is_fixed_size_list = is_list


def is_string(kind: Any) -> bool:
    return _of(kind) is str


is_large_string = is_string


def is_integer(kind: Any) -> bool:
    return _of(kind) is int


def is_floating(kind: Any) -> bool:
    return _of(kind) is float


def is_struct(kind: Any) -> bool:
    return _of(kind) is dict


def is_dictionary(kind: Any) -> bool:
    return False


def is_null(kind: Any) -> bool:
    return _of(kind) is type(None)
