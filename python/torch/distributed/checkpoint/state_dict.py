"""State dicts of parallel models: sharded, or whole on each rank, or whole on the host of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from torch.nn.modules.module import _IncompatibleKeys

from .. import _world
from .._state_dict_utils import (
    _broadcast_state_dict,
    _distribute_state_dict,
    _flatten_state_dict,
    _unflatten_state_dict,
)
from ..tensor import DTensor

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


@dataclass
class StateDictOptions:
    full_state_dict: bool = False
    cpu_offload: bool = False
    ignore_frozen_params: bool = False
    keep_submodule_prefixes: bool = True
    strict: bool = True
    broadcast_from_rank0: bool = False
    flatten_optimizer_state_dict: bool = False
    dsd_fqn_modifiers: str = "_fqn_modifiers"


def _gathered(value, options):
    """Values of a state dict one after another, each whole for a moment if it is to be on the host."""
    if isinstance(value, DTensor):
        if not options.full_state_dict:
            return value.cpu() if options.cpu_offload else value
        with torch.no_grad():
            value = value.full_tensor()
        if options.cpu_offload:
            return value.cpu() if _world.get_rank() == 0 else None
        return value
    if isinstance(value, torch.Tensor):
        value = value.detach()
        if options.full_state_dict and options.cpu_offload and _world.is_initialized() and _world.get_rank() != 0:
            return None
        return value.cpu() if options.cpu_offload else value
    if isinstance(value, dict):
        return {key: _gathered(item, options) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_gathered(item, options) for item in value)
    return value


def _kept(state, options):
    away = options.full_state_dict and options.cpu_offload and _world.is_initialized() and _world.get_rank() != 0
    made = {}
    for key, value in state.items():
        found = _gathered(value, options)
        if not away:
            made[key] = found
        del found
    return made


def _clean(name):
    for prefix in ("_fsdp_wrapped_module.", "_checkpoint_wrapped_module.", "module."):
        name = name.replace(prefix, "") if prefix != "module." else name.removeprefix(prefix)
    return name


def get_model_state_dict(
    model: torch.nn.Module, *, submodules: set[torch.nn.Module] | None = None, options: StateDictOptions | None = None
) -> dict:
    options = options or StateDictOptions()
    frozen = (
        {name for name, p in model.named_parameters() if not p.requires_grad} if options.ignore_frozen_params else ()
    )
    state = {_clean(name): value for name, value in model.state_dict().items() if name not in frozen}
    return _kept(state, options)


def get_optimizer_state_dict(
    model: torch.nn.Module,
    optimizers: torch.optim.Optimizer | Iterable[torch.optim.Optimizer],
    *,
    submodules: set[torch.nn.Module] | None = None,
    options: StateDictOptions | None = None,
) -> Any:
    options = options or StateDictOptions()
    optimizers = (optimizers,) if isinstance(optimizers, torch.optim.Optimizer) else tuple(optimizers)
    names = {id(p): _clean(name) for name, p in model.named_parameters()}
    result = {"state": {}, "param_groups": []}
    for optimizer in optimizers:
        _init_optim_state(optimizer)
        state = {names[id(p)]: dict(values) for p, values in optimizer.state.items() if id(p) in names}
        result["state"].update(_kept(state, options))
        for group in optimizer.param_groups:
            plain = {key: value for key, value in group.items() if key != "params"}
            result["param_groups"].append(
                {**plain, "params": [names[id(p)] for p in group["params"] if id(p) in names]}
            )
    return result


def _init_optim_state(optimizer):
    """A step with zero gradients and no learning rate makes the states that are not there yet."""
    if optimizer.state or any(p.grad is not None for group in optimizer.param_groups for p in group["params"]):
        return
    rates = [group.get("lr") for group in optimizer.param_groups]
    for group in optimizer.param_groups:
        for p in group["params"]:
            if p.requires_grad:
                p.grad = torch.zeros_like(p)
        if "lr" in group:
            group["lr"] = 0.0
    optimizer.step(closure=None)
    for group, rate in zip(optimizer.param_groups, rates):
        if rate is not None:
            group["lr"] = rate
    optimizer.zero_grad(set_to_none=True)


def get_state_dict(
    model: torch.nn.Module,
    optimizers: torch.optim.Optimizer | Iterable[torch.optim.Optimizer],
    *,
    submodules: set[torch.nn.Module] | None = None,
    options: StateDictOptions | None = None,
) -> tuple:
    return get_model_state_dict(model, options=options), get_optimizer_state_dict(model, optimizers, options=options)


def _own_values(model, prefix=""):
    """Parameters and buffers that are saved, children first (_iterate_valid_model_state)."""
    for name, child in model.named_children():
        yield from _own_values(child, f"{prefix}{name}.")
    for name, value in (*model.named_buffers(recurse=False), *model.named_parameters(recurse=False)):
        if name not in model._non_persistent_buffers_set:
            yield prefix + name, value


@torch.no_grad()
def set_model_state_dict(
    model: torch.nn.Module, model_state_dict: dict, *, options: StateDictOptions | None = None
) -> _IncompatibleKeys:
    """The caller's dictionary has this rank's parts afterwards, as in PyTorch."""
    options = options or StateDictOptions()
    if not model_state_dict and not options.broadcast_from_rank0:
        return _IncompatibleKeys({}, {})
    local, assign = {}, False
    for name, value in _own_values(model):
        plain = _clean(name)
        if plain != name and plain in model_state_dict:
            model_state_dict[name] = model_state_dict.pop(plain)
        local[name] = value
    if options.broadcast_from_rank0 or options.full_state_dict:
        devices = {value.device for value in local.values() if value.dim() > 0}
        if torch.device("meta") in devices:
            devices.remove(torch.device("meta"))
            assign = True
        if len(devices) > 1:
            raise ValueError("Multiple devices found")
        device = devices.pop() if devices else torch.device("cuda")
        if options.broadcast_from_rank0:
            _broadcast_state_dict(
                model_state_dict, local, device, strict=options.strict, cpu_offload=options.cpu_offload
            )
        else:
            _distribute_state_dict(model_state_dict, local, device)
        model_state_dict.update(local)
    del local
    return model.load_state_dict(model_state_dict, strict=options.strict, assign=assign)


@torch.no_grad()
def set_optimizer_state_dict(
    model: torch.nn.Module,
    optimizers: torch.optim.Optimizer | Iterable[torch.optim.Optimizer],
    optim_state_dict: dict,
    *,
    options: StateDictOptions | None = None,
) -> None:
    options = options or StateDictOptions()
    optimizers = (optimizers,) if isinstance(optimizers, torch.optim.Optimizer) else tuple(optimizers)
    for optimizer in optimizers:
        _init_optim_state(optimizer)
        state = optim_state_dict
        if options.full_state_dict:
            own = get_optimizer_state_dict(model, optimizer)
            device = next(
                v.device for values in own["state"].values() for v in values.values() if getattr(v, "ndim", 0)
            )
            flat, ways = _flatten_state_dict(state)
            local, local_ways = _flatten_state_dict(own)
            del own
            if options.broadcast_from_rank0:
                _broadcast_state_dict(flat, local, device)
            else:
                _distribute_state_dict(flat, local, device)
            for key in flat:
                if key not in local:
                    local[key], local_ways[key] = flat[key], ways[key]
            state = _unflatten_state_dict(local, local_ways)
        optimizer.load_state_dict(state)


def set_state_dict(
    model: torch.nn.Module,
    optimizers: torch.optim.Optimizer | Iterable[torch.optim.Optimizer],
    *,
    model_state_dict: dict,
    optim_state_dict: dict,
    options: StateDictOptions | None = None,
) -> _IncompatibleKeys:
    set_optimizer_state_dict(model, optimizers, optim_state_dict, options=options)
    return set_model_state_dict(model, model_state_dict, options=options)
