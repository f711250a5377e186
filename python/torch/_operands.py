"""How Python's arguments are laid out for the engine: one function for each letter of an operator's codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _gpus, _ranked
from ._types import device as _device_type

if TYPE_CHECKING:
    from typing import Any


Tensor = None  # class torch.Tensor, set by know()


def know(tensor_class: type) -> None:
    """Takes the class of tensors."""
    global Tensor
    Tensor = tensor_class


def _operand(x):
    t = type(x)
    if t is float:
        return 2, x
    if t is int:
        return 1, x
    if t is bool:
        return 3, x
    if isinstance(x, Tensor):
        return 0, x._h
    if t is complex:
        return 4, x.real
    if t is _ranked.Ranked:
        return _operand(_ranked.tell_apart(x))
    if getattr(x, "shape", ()):
        raise TypeError(f"must be Tensor or a number, not {t.__name__}")  # an array is none, though it may convert
    if isinstance(x, bool):
        return 3, bool(x)
    if isinstance(x, int) or hasattr(x, "__index__"):
        return 1, int(x)
    if isinstance(x, float) or hasattr(x, "__float__"):
        return 2, float(x)
    raise TypeError(f"must be Tensor or a number, not {t.__name__}")


def _scalar(x):
    return _operand(x.item() if isinstance(x, Tensor) else x)


def _maybe(x):
    return (-1, 0) if x is None else _operand(x)


def _operands(xs):
    out = [len(xs)]
    for x in xs:
        out.extend(_operand(x))
    return out


def _ints(x):
    if x is None:
        return (-1,)
    if isinstance(x, int):
        return (1, x if type(x) is int else x.__index__())
    if isinstance(x, Tensor):
        return (1, int(x))
    return (len(x), *[i if type(i) is int else i.__index__() for i in x])


def _floats(x):
    if x is None:
        return (-1,)
    if isinstance(x, (int, float)):
        return (1, x)
    return (len(x), *x)


def _tensors(xs):
    if xs is None:
        return (-1,)
    if not isinstance(xs, (list, tuple)):
        raise TypeError(f"{type(xs).__name__} is no tuple of Tensors")
    return (len(xs), *[x._h for x in xs])


def _maybe_tensors(xs):
    """Of a list in which None stands for a tensor that is not there."""
    if not isinstance(xs, (list, tuple)):
        raise TypeError(f"{type(xs).__name__} is no tuple of Tensors")
    return (len(xs), *[None if x is None else x._h for x in xs])


# Python's types stand for a dtype each, wherever PyTorch parses one.
_TYPES = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}


def _dtype(x):
    if x is None or type(x) is str:
        return x
    return x.name if type(x) is not type else _TYPES[x]


def dtype_of_type(kind: type, function: str) -> Any:
    """The dtype that `int`, `float` and their like stand for."""
    if kind not in _TYPES:
        raise TypeError(f"{function}(): argument 'dtype' must be torch.dtype, not {type(kind).__name__}")
    from ._types import DTYPES

    return DTYPES[_TYPES[kind]]


def _device(x):
    if x is None:
        return None
    if type(x) is str:
        kind, _, number = x.partition(":")
        return _gpus.name_of(int(number)) if number and kind == "cuda" else kind
    if isinstance(x, str):
        x = _device_type(x)
    return _gpus.name_of(x) if isinstance(x, int) else _gpus.engine_name(x)


def _format(x):
    return x if x is None or type(x) is str else x.name
