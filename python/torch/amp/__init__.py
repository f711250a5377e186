"""torch.amp: automatic mixed precision."""

from __future__ import annotations

import torch

from .. import _C
from .autocast_mode import (
    _cast,
    autocast,
    autocast_decorator,
    custom_bwd,
    custom_fwd,
    get_autocast_dtype,
    is_autocast_available,
    is_autocast_enabled,
)
from .grad_scaler import GradScaler, OptState


def is_autocast_cpu_enabled() -> bool:
    return is_autocast_enabled("cpu")


def get_autocast_gpu_dtype() -> torch.dtype:
    return get_autocast_dtype("cuda")


def get_autocast_cpu_dtype() -> torch.dtype:
    return get_autocast_dtype("cpu")


def set_autocast_gpu_dtype(dtype: torch.dtype) -> None:
    _C.set_autocast_dtype("cuda", dtype)


def set_autocast_cpu_dtype(dtype: torch.dtype) -> None:
    _C.set_autocast_dtype("cpu", dtype)


def set_autocast_cpu_enabled(enabled: bool) -> None:
    _C.set_autocast_enabled("cpu", enabled)


# the same functions are names of torch itself
for _name in (
    "set_autocast_enabled",
    "set_autocast_dtype",
    "autocast_increment_nesting",
    "autocast_decrement_nesting",
    "clear_autocast_cache",
    "set_autocast_cache_enabled",
    "is_autocast_cache_enabled",
):
    setattr(torch, _name, getattr(_C, _name))
for _function in (
    is_autocast_cpu_enabled,
    get_autocast_gpu_dtype,
    get_autocast_cpu_dtype,
    set_autocast_gpu_dtype,
    set_autocast_cpu_dtype,
    set_autocast_cpu_enabled,
):
    setattr(torch, _function.__name__, _function)

__all__ = ["autocast", "autocast_decorator", "custom_bwd", "custom_fwd", "is_autocast_available", "GradScaler"]
