"""accelerate.utils: seeds, settings, and what processes hand each other."""

from __future__ import annotations

import importlib
import importlib.util
import random
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "DataLoaderConfiguration", "DistributedDataParallelKwargs", "DistributedType", "GradScalerKwargs",
    "GradientAccumulationPlugin", "InitProcessGroupKwargs", "LoggerType", "PrecisionType", "ProjectConfiguration",
    "CustomDtype", "broadcast", "broadcast_object_list", "clear_device_cache", "concatenate", "extract_model_from_parallel",
    "find_executable_batch_size", "gather", "gather_object", "pad_across_processes", "reduce",
    "release_memory", "send_to_device", "set_module_tensor_to_device", "set_seed", "synchronize_rng_states",
]  # fmt: skip

_LATER = {
    "dataclasses": "DataLoaderConfiguration DistributedDataParallelKwargs DistributedType GradScalerKwargs "
    "GradientAccumulationPlugin InitProcessGroupKwargs LoggerType PrecisionType ProjectConfiguration",
    "memory": "clear_device_cache find_executable_batch_size release_memory",
    "modeling": "CustomDtype set_module_tensor_to_device",
    "operations": "broadcast broadcast_object_list concatenate gather gather_object pad_across_processes reduce send_to_device",
}
_OF = {name: part for part, names in _LATER.items() for name in names.split()}
_lacking = lacks("accelerate.utils")


def __getattr__(name: str) -> Any:
    """Names of the parts below are looked up when they are asked for."""
    if name in _OF:
        return getattr(importlib.import_module(f"{__name__}.{_OF[name]}"), name)
    if name.startswith("is_") and name.endswith("_available"):
        return lambda *args, **kwargs: importlib.util.find_spec(name[3:-10]) is not None
    return _lacking(name)


def set_seed(seed: int, device_specific: bool = False, deterministic: bool = False) -> None:
    import numpy

    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)


def extract_model_from_parallel(model: Any, *args: Any, **kwargs: Any) -> Any:
    return model


def synchronize_rng_states(*args: Any, **kwargs: Any) -> None:
    """There is one process."""
