"""What runs around a module's forward, and models that lie on the CPU until theirs runs."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

from .utils.memory import clear_device_cache
from .utils.operations import send_to_device

if TYPE_CHECKING:
    from typing import Any

__getattr__ = lacks("accelerate.hooks")


class ModelHook:
    no_grad = False

    def init_hook(self, module: torch.nn.Module) -> torch.nn.Module:
        return module

    def pre_forward(self, module: torch.nn.Module, *args: Any, **kwargs: Any) -> tuple:
        return args, kwargs

    def post_forward(self, module: torch.nn.Module, output: Any) -> Any:
        return output

    def detach_hook(self, module: torch.nn.Module) -> torch.nn.Module:
        return module


class SequentialHook(ModelHook):
    """Several, one after the other."""

    def __init__(self, *hooks: ModelHook) -> None:
        self.hooks = hooks

    def init_hook(self, module: torch.nn.Module) -> torch.nn.Module:
        for hook in self.hooks:
            module = hook.init_hook(module)
        return module

    def pre_forward(self, module: torch.nn.Module, *args: Any, **kwargs: Any) -> tuple:
        for hook in self.hooks:
            args, kwargs = hook.pre_forward(module, *args, **kwargs)
        return args, kwargs

    def post_forward(self, module: torch.nn.Module, output: Any) -> Any:
        for hook in self.hooks:
            output = hook.post_forward(module, output)
        return output

    def detach_hook(self, module: torch.nn.Module) -> torch.nn.Module:
        for hook in self.hooks:
            module = hook.detach_hook(module)
        return module


def add_hook_to_module(module: torch.nn.Module, hook: ModelHook, append: bool = False) -> torch.nn.Module:
    """Puts a hook in the place of the module's, or with `append` behind it."""
    if append and getattr(module, "_hf_hook", None) is not None:
        before = module._hf_hook
        remove_hook_from_module(module)
        hook = SequentialHook(before, hook)
    if not (hasattr(module, "_hf_hook") and hasattr(module, "_old_forward")):
        module._old_forward = module.forward
    module = hook.init_hook(module)
    module._hf_hook = hook

    def forward(module, *args, **kwargs):
        args, kwargs = module._hf_hook.pre_forward(module, *args, **kwargs)
        if module._hf_hook.no_grad:
            with torch.no_grad():
                output = module._old_forward(*args, **kwargs)
        else:
            output = module._old_forward(*args, **kwargs)
        return module._hf_hook.post_forward(module, output)

    module.forward = functools.update_wrapper(functools.partial(forward, module), module._old_forward)
    return module


def remove_hook_from_module(module: torch.nn.Module, recurse: bool = False) -> torch.nn.Module:
    if hasattr(module, "_hf_hook"):
        module._hf_hook.detach_hook(module)
        del module._hf_hook
    if hasattr(module, "_old_forward"):
        module.forward = module._old_forward
        del module._old_forward
    for child in module.children() if recurse else ():
        remove_hook_from_module(child, recurse)
    return module


class AlignDevicesHook(ModelHook):
    """What moves weights to where their module runs; without offloading, once."""

    def __init__(
        self, execution_device: Any = None, offload: bool = False, io_same_device: bool = False, **_: Any
    ) -> None:
        if offload:
            raise NotImplementedError("vramscope's short form of accelerate keeps no weights of a module elsewhere")
        self.execution_device, self.offload, self.io_same_device = execution_device, offload, io_same_device

    def init_hook(self, module: torch.nn.Module) -> torch.nn.Module:
        return module if self.execution_device is None else module.to(self.execution_device)

    def pre_forward(self, module: torch.nn.Module, *args: Any, **kwargs: Any) -> tuple:
        return send_to_device(args, self.execution_device), send_to_device(kwargs, self.execution_device)


class CpuOffload(ModelHook):
    """Moves a model to the GPU when it is called, the one before it back to the CPU then."""

    def __init__(self, execution_device: Any = None, prev_module_hook: UserCpuOffloadHook | None = None) -> None:
        self.execution_device = torch.device("cuda", 0) if execution_device is None else execution_device
        self.prev_module_hook = prev_module_hook

    def init_hook(self, module: torch.nn.Module) -> torch.nn.Module:
        return module.to("cpu")

    def pre_forward(self, module: torch.nn.Module, *args: Any, **kwargs: Any) -> tuple:
        before = self.prev_module_hook
        if before is not None and next(before.model.parameters()).device != torch.device("cpu"):
            before.offload()
            clear_device_cache()
        if next(module.parameters()).device == self.execution_device:
            return args, kwargs
        module.to(self.execution_device)
        return send_to_device(args, self.execution_device), send_to_device(kwargs, self.execution_device)


class UserCpuOffloadHook:
    """A model and its hook, for who moves it back by hand."""

    def __init__(self, model: torch.nn.Module, hook: ModelHook) -> None:
        self.model, self.hook = model, hook

    def offload(self) -> None:
        self.hook.init_hook(self.model)

    def remove(self) -> None:
        remove_hook_from_module(self.model)
