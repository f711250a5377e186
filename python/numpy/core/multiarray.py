"""numpy.core.multiarray: names that pickled arrays are rebuilt by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy import array, dtype, ndarray

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike


def _reconstruct(subtype, shape, kind):
    return ndarray(shape, "uint8")


def scalar(kind: str, value: ArrayLike = None) -> Any:
    return dtype(kind).type(0)


__all__ = ["_reconstruct", "array", "scalar"]
