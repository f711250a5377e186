"""replicate: DistributedDataParallel over a module's parameters, by hooks of the module (torch/distributed/_composable/replicate.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_classes = {}


class DDP:
    """What a replicated module can do beside its own class."""

    def set_requires_gradient_sync(self, requires_gradient_sync: bool) -> None:
        self._replicate.syncs = requires_gradient_sync

    def register_comm_hook(self, *args: Any, **kwargs: Any) -> None:
        self._replicate.comm_hooks.append((args, kwargs))


class _ReplicateState:
    def __init__(self, module: nn.Module, ignored: set, options: dict[str, Any]) -> None:
        self.module, self.ignored, self.options = module, ignored, options
        self.comm_hooks, self.syncs, self.ddp = [], True, None

    def _start(self):
        if self.ddp is not None:
            return
        found, seen = [], set()
        self._collect(self.module, found, seen)
        options = dict(self.options)
        if "device_id" in options:
            device = options.pop("device_id")
            on_host = isinstance(device, torch.device) and device.type == "cpu"
            options["device_ids"] = None if device is None or on_host else [device]
        self.ddp = DistributedDataParallel(nn.ParameterList(found), **options)
        for args, kwargs in self.comm_hooks:
            self.ddp.register_comm_hook(*args, **kwargs)

    def _collect(self, module, found, seen):
        if "_fsdp_state" in module.__dict__ or module in self.ignored:
            return
        for param in module.parameters(recurse=False):
            if param not in seen and not any(param is p for m in self.ignored for p in m.parameters()):
                seen.add(param)
                found.append(param)
        for child in module.children():
            self._collect(child, found, seen)

    def before(self, module: nn.Module, args: tuple, kwargs: dict[str, Any]) -> Any:
        self._start()
        self.ddp.require_backward_grad_sync = self.syncs
        return self.ddp._pre_forward(*args, **kwargs)

    def after(self, module: nn.Module, inputs: Any, output: Any) -> Any:
        return self.ddp._post_forward(output)


def replicate(module: nn.Module, ignored_modules: Iterable[nn.Module] | None = None, **kwargs: Any) -> nn.Module:
    """The module itself, whose gradients are averaged over the group from its next forward on."""
    if "device_id" in kwargs and not isinstance(kwargs["device_id"], (int, torch.device)):
        raise RuntimeError(f"Expected device_id to be int or torch.device, but got {type(kwargs['device_id'])}")
    if "_fsdp_state" in module.__dict__:
        raise RuntimeError("Cannot apply `replicate()` on a Module already managed by `fully_shard`")
    state = _ReplicateState(module, set(ignored_modules or ()), kwargs)
    module.__dict__["_replicate"] = state
    module.register_forward_pre_hook(state.before, with_kwargs=True)
    module.register_forward_hook(state.after)
    own = type(module)
    if own not in _classes:
        _classes[own] = type(f"DDP{own.__name__}", (DDP, own), {})
    module.__class__ = _classes[own]
    return module
