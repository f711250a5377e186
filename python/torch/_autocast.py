"""What torch._C knows of autocast: enabled, dtype, cache, nesting."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import torch
    from torch import Tensor


_js = None  # the engine's functions, set by connect()


def connect(functions: Sequence[Callable]) -> None:
    """Takes the engine's functions for this run."""
    global _js
    _js = functions


def _device_name(device):
    return "cuda" if device in (None, "cuda") else str(device).partition(":")[0]


def set_autocast_enabled(device: str, value: bool | None = None) -> None:
    if value is None:
        device, value = "cuda", device
    _js.autocast(_device_name(device), "enable", bool(value))


def is_autocast_enabled(device: str = "cuda") -> bool:
    return _js.autocast(_device_name(device), "enabled")


def set_autocast_dtype(device: str, dtype: torch.dtype) -> None:
    _js.autocast(_device_name(device), "set_dtype", dtype.name)


def get_autocast_dtype(device: str = "cuda") -> torch.dtype:
    import torch

    return getattr(torch, _js.autocast(_device_name(device), "dtype"))


_nesting = 0


def autocast_increment_nesting() -> int:
    global _nesting
    _nesting += 1
    return _nesting


def autocast_decrement_nesting() -> int:
    global _nesting
    _nesting -= 1
    return _nesting


def clear_autocast_cache() -> None:
    _js.autocast("cuda", "clear")


def set_autocast_cache_enabled(value: bool) -> None:
    _js.autocast("cuda", "set_cache", bool(value))


def is_autocast_cache_enabled() -> bool:
    return _js.autocast("cuda", "cache")


def without_nesting(function: Callable, *args: Any) -> Tensor | tuple:
    """Calls what runs in backward: it has a thread of its own, where no autocast block was entered."""
    global _nesting
    outer, _nesting = _nesting, 0
    try:
        return function(*args)
    finally:
        _nesting = outer
