"""pyarrow.types: what kind a column's type is; those of tables here are Python's."""

from __future__ import annotations


def is_list(kind: str) -> bool:
    return kind is list


is_large_list = is_fixed_size_list = is_list


def is_string(kind: str) -> bool:
    return kind is str


is_large_string = is_string


def is_integer(kind: str) -> bool:
    return kind is int


def is_floating(kind: str) -> bool:
    return kind is float


def is_struct(kind: str) -> bool:
    return kind is dict


def is_dictionary(kind: str) -> bool:
    return False


def is_null(kind: str) -> bool:
    return kind is type(None)
