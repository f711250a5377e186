"""Which tensors functions of scores and masks use besides their arguments: PyTorch's compiler hands them to flex_attention as inputs, which keeps them for backward."""

from __future__ import annotations

import functools
import types
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from torch import Tensor


def captured(function: Callable) -> list[Tensor]:
    """Tensors of the function's closure, of globals that it names, and of functions among them, each once."""
    found, seen = [], set()
    for value in _reached(function, seen):
        if not any(value is other for other in found):
            found.append(value)
    return found


def _reached(value: Any, seen: set[int]) -> Iterator[Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, functools.partial):
        parts = [value.func, *value.args, *value.keywords.values()]
    elif isinstance(value, types.MethodType):
        parts = [value.__func__]
    elif isinstance(value, types.FunctionType):
        parts = list(_of_function(value))
    elif isinstance(value, (list, tuple)):
        parts = value
    elif isinstance(value, dict):
        parts = value.values()
    else:
        return
    for part in parts:
        yield from _reached(part, seen)


def _of_function(function):
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, (torch.Tensor, types.FunctionType, functools.partial)):
            yield value
