"""torch.utils: hooks, checkpointing, data, and small helpers."""

from torch._composites import swap_tensors as swap_tensors

from . import _pytree as _pytree


def set_module(obj, mod):
    """Says in which module an object is documented."""
    obj.__module__ = mod
