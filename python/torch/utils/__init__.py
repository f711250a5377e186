"""torch.utils: hooks, checkpointing, data, and small helpers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._composites import swap_tensors as swap_tensors

from . import _pytree as _pytree

if TYPE_CHECKING:
    from typing import Any

    import torch


def set_module(obj: Any, mod: torch.nn.Module) -> None:
    """Says in which module an object is documented."""
    obj.__module__ = mod
