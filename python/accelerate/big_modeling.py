"""Models without memory: what is registered within these blocks lies on another device, `meta` where none is named."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


__getattr__ = lacks("accelerate.big_modeling")


@contextlib.contextmanager
def init_on_device(device: Any, include_buffers: bool | None = None) -> Iterator[None]:
    """Parameters are moved as they are registered; with buffers all that is made lies there at once."""
    if include_buffers:
        with torch.device(device):
            yield
        return
    plain = torch.nn.Module.register_parameter

    def register_parameter(module, name, param):
        plain(module, name, param)
        if param is not None:
            made = module._parameters[name]
            module._parameters[name] = type(made)(made.to(device), requires_grad=made.requires_grad)

    torch.nn.Module.register_parameter = register_parameter
    try:
        yield
    finally:
        torch.nn.Module.register_parameter = plain


@contextlib.contextmanager
def init_empty_weights(include_buffers: bool | None = None) -> Iterator[None]:
    with init_on_device(torch.device("meta"), include_buffers):
        yield


def cpu_offload_with_hook(
    model: torch.nn.Module, execution_device: Any = None, prev_module_hook: Any = None
) -> tuple[torch.nn.Module, Any]:
    """A model on the CPU that moves to the GPU when it is called, and what moves it back."""
    from .hooks import CpuOffload, UserCpuOffloadHook, add_hook_to_module

    hook = CpuOffload(execution_device, prev_module_hook)
    add_hook_to_module(model, hook, append=True)
    return model, UserCpuOffloadHook(model, hook)
