"""Devices of modules and of what they are called with, as torch_einops_utils names them."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING

from .shapes import tree_map_tensor

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def module_device(m: Any) -> Any:
    """Where the first parameter or buffer lies; None for a module without any."""
    first = next(itertools.chain(m.parameters(), m.buffers()), None)
    return None if first is None else first.device


def tree_map_tensor_to_device(tree: Any, device: Any) -> Any:
    return tree_map_tensor(lambda t: t.to(device), tree)


def move_inputs_to_device(device: Any) -> Any:
    def decorator(fn):
        @functools.wraps(fn)
        def moved(*args, **kwargs):
            args, kwargs = tree_map_tensor_to_device((args, kwargs), device)
            return fn(*args, **kwargs)

        return moved

    return decorator


def move_inputs_to_module_device(fn: Callable) -> Any:
    @functools.wraps(fn)
    def moved(self, *args, **kwargs):
        device = module_device(self)
        if device is not None:
            args, kwargs = tree_map_tensor_to_device((args, kwargs), device)
        return fn(self, *args, **kwargs)

    return moved
