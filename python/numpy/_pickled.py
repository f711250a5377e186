"""What pickles of the real NumPy's arrays, scalars and dtypes are rebuilt by (numpy/_core/src/multiarray/methods.c, array_setstate)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._array import ndarray
from ._dtypes import dtype
from ._make import frombuffer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def array_of(content: Any, kind: Any, shape: Sequence[int], is_by_columns: bool) -> ndarray:
    """The array of these bytes, or of the list that an array of objects has; of a large one only its shape."""
    if isinstance(content, str):
        # a pickle of Python 2, read with encoding="latin1"
        content = content.encode("latin1")
    if isinstance(content, list):
        made = ndarray((len(content),), kind, content)
    else:
        made = frombuffer(content, kind, ndarray(shape, kind).size) if len(content) else ndarray((0,), kind, [])
    if not is_by_columns or len(shape) < 2:
        return made.reshape(shape)
    return made.reshape(tuple(reversed(shape))).transpose()


def set_array(self: ndarray, state: Any) -> None:
    if isinstance(state, dict):
        vars(self).update(state)
        return
    shape, kind, is_by_columns, content = state[-4:]
    vars(self).update(vars(array_of(content, kind, shape, is_by_columns)))


def set_dtype(self: dtype, state: Any) -> None:
    """Byte order, fields and the like: what is kept of a dtype follows from its name."""
    if isinstance(state, dict):
        vars(self).update(state)
    elif state[1] == ">" and self.itemsize > 1:
        raise NotImplementedError("vramscope's stand-in for numpy does not read big-endian arrays")


def reconstruct(subtype: Any, shape: Sequence[int], kind: Any) -> ndarray:
    """Empty: its state follows."""
    return ndarray(shape, "uint8")


def from_buffer(buffer: Any, kind: Any, shape: Sequence[int], order: str) -> ndarray:
    """`numpy._core.numeric._frombuffer`, which protocol 5 uses."""
    return array_of(bytes(buffer), dtype(kind), shape, order == "F")


def scalar(kind: Any, content: Any = None) -> Any:
    kind = dtype(kind)
    if isinstance(content, str):
        content = content.encode("latin1")
    return kind.type(0) if content is None else frombuffer(content, kind, 1)[0]


ndarray.__setstate__, dtype.__setstate__ = set_array, set_dtype

__all__ = ["from_buffer", "reconstruct", "scalar"]
