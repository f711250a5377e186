"""pyarrow.compute: what is asked of columns, value by value."""

from torch._stand_ins import lacks

from ._table import Column


def list_value_length(column):
    return Column([None if value is None else len(value) for value in column])


def max(column, **_):
    return _most(column, 1)


def min(column, **_):
    return _most(column, -1)


def _most(column, sign):
    known = [value for value in column if value is not None]
    return sorted(known)[-1 if sign > 0 else 0] if known else None


def sum(column, **_):
    total = 0
    for value in column:
        total += value or 0
    return total


def unique(column, **_):
    return Column(list(dict.fromkeys(column)))


__getattr__ = lacks(__name__)
