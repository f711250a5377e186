"""numpy.typing: names for annotations."""

from __future__ import annotations

from typing import Any

from ._array import ndarray

ArrayLike = DTypeLike = Any


class NDArray(ndarray):
    """`NDArray[np.float32]` in an annotation."""

    def __class_getitem__(cls, item: Any) -> Any:
        return ndarray
