"""numpy.ma: arrays with a mask; only what libraries ask for while they are imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy import asarray
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike


__getattr__ = lacks("numpy.ma")


class MaskedArray:
    """Values and where they do not count."""

    def __init__(self, data: Any, mask: ArrayLike = False, **_: Any) -> None:
        self.data, self.mask = asarray(data), asarray(mask)


def isMaskedArray(x: ArrayLike) -> bool:
    return isinstance(x, MaskedArray)


def masked_array(data: Any, mask: ArrayLike = False, **_: Any) -> MaskedArray:
    return MaskedArray(data, mask)


array = masked_array
