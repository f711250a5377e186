"""Subclasses of Tensor that run their own operators (`__torch_dispatch__`): geometry without memory, over what they hold.

Autograd works on the subclass; an operator arrives here below it, with the engine's own names and arguments.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from . import _C

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import torch


def make(
    cls: type,
    size: int | Sequence[int],
    strides: Sequence[int],
    dtype: torch.dtype,
    device: torch.device | str | int,
    requires_grad: bool = False,
) -> Any:
    """A tensor of the class with this geometry; the engine keeps its attributes as long as it lives."""
    from ._tensor_base import row_major
    from ._types import device as _device_type

    size = list(size)
    strides = list(strides) if strides is not None else row_major(size)
    place = "cuda" if device is None else _device_type(device).type
    handle = _C._js.makeSubclass(dtype.name, place, bool(requires_grad), len(size), *size, *strides)
    if type(handle) is str:
        _C.fail(handle)
    t = _C._new(cls)
    t._h = handle
    _C._live[handle] = _C._ref(t)
    _C.subclasses[handle] = (cls, t.__dict__)
    return t


def _argument(x):
    if type(x) is dict:
        return _C.wrap(x["t"]) if "t" in x else float(x["f"])
    if type(x) is list:
        return [_argument(item) for item in x]
    return x


def _owners(args, found):
    for x in args:
        if type(x) is list:
            _owners(x, found)
        elif isinstance(x, _C.Tensor) and hasattr(type(x), "_run_operator"):
            found.append(type(x))
    return found


def run(text: str) -> Any:
    """One operator call; its results as a tuple."""
    name, *args = map(_argument, json.loads(text))
    owners = _owners(args, [])
    owner = max(owners, key=lambda cls: cls._operator_priority)
    del owners, text
    result = owner._run_operator(name, args)
    if isinstance(result, (tuple, list)):
        return tuple(result)
    return (result,) if isinstance(result, _C.Tensor) else ()
