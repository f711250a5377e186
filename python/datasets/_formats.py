"""Rows as the program asked for them: Python objects, tensors, or arrays."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from typing import Any


def formatted(row: dict, format: Any, several: bool = False) -> Any:
    """A row, or columns of several rows, in the format (kind, columns, whether the other columns stay as they are)."""
    kind, columns, others = format
    if kind is None and columns is None:
        return row.copy()
    convert = _CONVERSIONS.get(kind, lambda value, several: value)
    found = {name: convert(value, several) for name, value in row.items() if columns is None or name in columns}
    return {**row, **found} if others else found


def _is_numbers(value):
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return isinstance(value, (int, float))


def _lengths_agree(value):
    if not isinstance(value, (list, tuple)) or not value or not isinstance(value[0], (list, tuple)):
        return True
    return len({len(part) for part in value}) == 1


def _to_torch(value, several):
    import torch

    if not _is_numbers(value):
        return value
    return torch.tensor(value) if _lengths_agree(value) else [torch.tensor(part) for part in value]


def _to_numpy(value, several):
    import numpy

    return numpy.array(value) if _is_numbers(value) and _lengths_agree(value) else value


_CONVERSIONS = {"torch": _to_torch, "pt": _to_torch, "numpy": _to_numpy, "np": _to_numpy}


def as_table(columns: dict) -> Any:
    """What a function of a data set in the format of arrow is called with."""
    from pyarrow import Table

    return Table(columns)


def without_table(made: Any) -> Any:
    """What such a function returns, as columns."""
    pyarrow = sys.modules.get("pyarrow")
    return made.to_pydict() if pyarrow is not None and isinstance(made, pyarrow.Table) else made
