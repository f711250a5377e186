"""torch.nn: modules, parameters, functions, initialisation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import functional, init
from .modules import *  # noqa: F403
from .modules import module as _module  # noqa: F401
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter
from . import attention, grad, utils

if TYPE_CHECKING:
    from typing import Any


# parallelism lies on the shelf until somebody asks for it
__all__ = [*(name for name in dir() if not name.startswith("_")), "parallel", "DataParallel"]


def __getattr__(name: str) -> Any:
    if name == "DataParallel":
        from .parallel import DataParallel

        return DataParallel
    raise AttributeError(f"module 'torch.nn' has no attribute '{name}'")


def factory_kwargs(kwargs: dict) -> Any:
    """The device, dtype and memory_format among keyword arguments, under those names."""
    if kwargs is None:
        return {}
    nested = dict(kwargs.get("factory_kwargs", {}))
    for key in kwargs:
        if key not in ("device", "dtype", "memory_format", "factory_kwargs"):
            raise TypeError(f"unexpected kwargs {key}")
        if key != "factory_kwargs":
            if key in nested:
                raise TypeError(f"{key} specified twice, in **kwargs and in factory_kwargs")
            nested[key] = kwargs[key]
    return nested
