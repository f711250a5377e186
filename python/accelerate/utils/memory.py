"""Giving memory back, and looking for the batch size that fits."""

from __future__ import annotations

import functools
import gc
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["clear_device_cache", "find_executable_batch_size", "release_memory"]

__getattr__ = lacks("accelerate.utils.memory")


def clear_device_cache(garbage_collection: bool = False) -> None:
    if garbage_collection:
        gc.collect()
    torch.cuda.empty_cache()


def release_memory(*objects: Any) -> list[None]:
    """As many names for nothing; who binds them lets go of what they were."""
    clear_device_cache(garbage_collection=True)
    return [None] * len(objects)


def find_executable_batch_size(
    function: Callable | None = None, starting_batch_size: int = 128, reduce_batch_size_fn: Callable | None = None
) -> Callable:
    """Runs a function with a smaller batch, nine tenths of the last one, as long as memory runs out."""
    if function is None:
        return functools.partial(
            find_executable_batch_size,
            starting_batch_size=starting_batch_size,
            reduce_batch_size_fn=reduce_batch_size_fn,
        )

    def run(*args, **kwargs):
        size = starting_batch_size
        clear_device_cache(garbage_collection=True)
        while size > 0:
            try:
                return function(size, *args, **kwargs)
            except torch.OutOfMemoryError:
                clear_device_cache(garbage_collection=True)
                size = int(size * 0.9) if reduce_batch_size_fn is None else reduce_batch_size_fn()
        raise RuntimeError("No executable batch size found, reached zero.")

    return run
