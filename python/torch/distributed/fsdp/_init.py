"""Wrapping: which groups communicate, what is left out, where parameters are made and moved (torch/distributed/fsdp/_init_utils.py)."""

from __future__ import annotations

import warnings
from collections import deque
from itertools import chain
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist
from torch import nn

from ..algorithms._comm_hooks.default_hooks import predivide_factor
from ._flat_layout import FlatParameter
from ._flat_param import FlatParamHandle
from ._states import state_of, states_below
from .api import HYBRID, ShardingStrategy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


_SYNC_BUCKET_BYTES = 250 * 1024 * 1024
_HOST = torch.device("cpu")


def init_groups(
    state: Any, process_group: torch.distributed.ProcessGroup, strategy: Any, policy: Any, mesh: Any
) -> None:
    if process_group is not None and mesh is not None:
        raise ValueError(
            "Cannot pass both process_group and device_mesh at the same time. Please just pass only one of them."
        )
    ranks = 1
    if strategy in HYBRID:
        if process_group is None and policy is None and mesh is None:
            raise ValueError(
                f"Manual wrapping with {strategy} requires explicit specification of process group or device_mesh."
            )
        state.process_group, state._inter_node_pg = _hybrid_groups(process_group, mesh)
        ranks = state._inter_node_pg.size()
    elif mesh is not None:
        state.process_group = mesh.get_group(mesh_dim=0)
    else:
        state.process_group = process_group if process_group is not None else dist._get_default_group()
    state.rank, state.world_size = state.process_group.rank(), state.process_group.size()
    ranks *= state.world_size
    state._gradient_predivide_factor = predivide_factor(ranks)
    state._gradient_postdivide_factor = ranks / state._gradient_predivide_factor


def _hybrid_groups(process_group, mesh):
    """The group that shards and the one that replicates."""
    if mesh is not None:
        if mesh.ndim != 2:
            raise ValueError(f"Expected device_mesh to have ndim=2 but got {mesh.ndim}")
        return mesh.get_group(mesh_dim=1), mesh.get_group(mesh_dim=0)
    if process_group is not None:
        if not isinstance(process_group, tuple) or len(process_group) != 2:
            raise ValueError(
                "Expected process_group to be passed in as either None or "
                f"Tuple[dist.ProcessGroup, dist.ProcessGroup] but got {type(process_group)}"
            )
        return process_group
    per_node = torch.cuda.device_count()
    within, _ = dist.new_subgroups(per_node)
    world, own = dist.get_world_size(), dist.get_rank() % per_node
    for local in range(per_node):
        made = dist.new_group(ranks=list(range(local, world, per_node)))
        if local == own:
            across = made
    return within, across


def init_ignored(
    state: Any, module: torch.nn.Module, ignored_modules: Iterable[torch.nn.Module], ignored_states: Any
) -> None:
    if ignored_modules is not None and ignored_states is not None:
        raise ValueError(
            "Cannot pass both ignored_modules and ignored_states at the same time. Please just pass ignored_states."
        )
    states = list(ignored_states if ignored_states is not None else ignored_modules or ())
    as_params = ignored_states is not None and all(isinstance(x, nn.Parameter) for x in states)
    if not as_params and not all(isinstance(x, nn.Module) for x in states):
        kinds = sorted({type(x) for x in states}, key=repr)
        what = "all nn.Parameter or all nn.Module" if ignored_states is not None else "nn.Module"
        name = "ignored_states" if ignored_states is not None else "ignored_modules"
        raise ValueError(f"{name} expects {what} list elements but got types {kinds}")
    roots = [] if as_params else states
    modules = {part for root in roots for part in root.modules() if state_of(part) is None}
    inner = states_below(module)
    state._ignored_modules = modules.union(*(s._ignored_modules for s in inner))
    params = {p for m in state._ignored_modules for p in m.parameters() if not isinstance(p, FlatParameter)}
    params.update(p for p in states if as_params and not isinstance(p, FlatParameter))
    state._ignored_params = params.union(*(s._ignored_params for s in inner))
    state._ignored_buffers = {b for m in state._ignored_modules for b in m.buffers()}


def strategy_for(world_size: int, strategy: Any) -> Any:
    if world_size == 1 and strategy != ShardingStrategy.NO_SHARD:
        warnings.warn(
            f"FSDP is switching to use `NO_SHARD` instead of {strategy or ShardingStrategy.FULL_SHARD} "
            "since the world size is 1."
        )
        return ShardingStrategy.NO_SHARD
    return strategy or ShardingStrategy.FULL_SHARD


def own_params(module: torch.nn.Module, ignored: Any) -> Iterator:
    """Parameters that no inner instance has flattened."""
    for param in module.parameters():
        if param not in ignored and not isinstance(param, FlatParameter) and not _flattened(param):
            yield param


def _flattened(param):
    return getattr(param, "_fsdp_flattened", False)


def init_handle(
    state: Any, module: torch.nn.Module, device_id: Any, param_init_fn: Any, sync_module_states: bool
) -> None:
    """Makes, moves and synchronizes the parameters, flattens them and keeps this rank's shard."""
    ignored = state._ignored_params
    devices = {p.device for p in own_params(module, ignored)}
    if len(devices) == 2 and _HOST in devices and device_id is None:
        raise RuntimeError("To support a module with both CPU and GPU params, please pass in device_id argument.")
    if len(devices) > 2 or (len(devices) == 2 and _HOST not in devices):
        raise RuntimeError(f"FSDP only supports single device modules but got params on {devices}")
    device = _device(device_id, state.rank)
    on_meta = any(p.is_meta for p in own_params(module, ignored)) or any(
        b.is_meta for m in module.modules() if m not in state._ignored_modules for b in m.buffers(recurse=False)
    )
    if on_meta:
        _materialize(module, param_init_fn, device, state._ignored_modules)
    _move(module, state, device)
    first = next(own_params(module, ignored), None)
    if first is not None and first.device.type != "cpu":
        state.compute_device = first.device
    else:
        state.compute_device = torch.device("cuda", torch.cuda.current_device())
    first = None
    if device is not None and state.compute_device != device:
        raise ValueError(
            f"Inconsistent compute device and `device_id` on rank {state.rank}: {state.compute_device} vs {device}"
        )
    managed = list(own_params(module, ignored))
    for param in managed:
        if len(param.shape) == 0:
            name = next(n for n, p in module.named_parameters() if p is param)
            raise ValueError(
                f"FSDP doesn't support scalar parameters. Change {name} to a 1D tensor with numel equal to 1."
            )
    if sync_module_states:
        if state.sharding_strategy in HYBRID:
            _synchronize(module, managed, state._inter_node_pg)
            for buffer in module.buffers():
                buffer._fsdp_synced = False
        _synchronize(module, managed, state.process_group)
    if managed:
        _make_handle(state, managed, module)


def _make_handle(state, params, module):
    handle = FlatParamHandle(params, module, state.compute_device, state)
    for param in handle.layout.params or ():
        param._fsdp_flattened = True
    handle.shard()
    state.params.append(handle.flat_param)
    state._handle = handle
    if handle.offloaded and handle.flat_param.device != _HOST:
        handle.move(_HOST)


def _device(device_id, rank):
    if device_id is None:
        return None
    device = device_id if isinstance(device_id, torch.device) else torch.device(device_id)
    if device.type != "cpu" and device.index is None:
        warnings.warn(
            f"FSDP got the argument `device_id` {device_id} on rank {rank}, which does not have an explicit index. "
            f"FSDP will use the current device {torch.cuda.current_device()}."
        )
        device = torch.device("cuda", torch.cuda.current_device())
    return device


def _materialize(root, param_init_fn, device, ignored):
    if param_init_fn is not None and not callable(param_init_fn):
        raise ValueError(f"Expected {param_init_fn} to be callable but got {type(param_init_fn)}")
    device = device or torch.device("cuda", torch.cuda.current_device())
    for module in _breadth_first(root, lambda m: state_of(m) is None and m not in ignored):
        if param_init_fn is not None:
            param_init_fn(module)
        elif any(True for _ in chain(module.parameters(recurse=False), module.buffers(recurse=False))):
            with torch.no_grad():
                module.to_empty(device=device, recurse=False)
                module.reset_parameters()


def _breadth_first(root, enters):
    found, visited, waiting = [], {root}, deque([root])
    while waiting:
        module = waiting.popleft()
        found.append(module)
        for child in module.children():
            if child not in visited and enters(child):
                visited.add(child)
                waiting.append(child)
    return found


def _move(module, state, device):
    if device is None:
        first = next(own_params(module, state._ignored_params), None)
        if first is not None and first.device == _HOST:
            warnings.warn(
                "The passed-in `module` is on CPU and will thus have FSDP's sharding initialization run on CPU, "
                "which may be slower than on GPU. We recommend passing in the `device_id` argument for FSDP to move "
                "`module` to GPU for the sharding initialization."
            )
        return
    params, buffers, waiting = [], [], deque([module])
    while waiting:
        part = waiting.popleft()
        params += [p for p in part.parameters(recurse=False) if p.device == _HOST and p not in state._ignored_params]
        buffers += [b for b in part.buffers(recurse=False) if b.device == _HOST and b not in state._ignored_buffers]
        waiting.extend(child for child in part.children() if state_of(child) is None)
    with torch.no_grad():
        for param in params:
            param.data = param.to(device)
            if param.grad is not None:
                param.grad.data = param.grad.to(device)
        for buffer in buffers:
            buffer.data = buffer.to(device)


def _synchronize(module, params, group):
    """Rank 0's parameters and buffers, to all."""
    from torch.nn.parallel._reducer import broadcast_coalesced

    states = []
    for buffer in module.buffers():
        if not getattr(buffer, "_fsdp_synced", False):
            buffer._fsdp_synced = True
            states.append(buffer.detach())
    states += [p.detach() for p in params]
    if any(t.device == _HOST for t in states):
        raise ValueError(
            "The module has CPU parameters or buffers when `sync_module_states=True`, "
            "which requires them to be on GPU. Please specify the `device_id` argument "
            "or move the module to GPU before passing it to FSDP."
        )
    if states:
        broadcast_coalesced(group, states, _SYNC_BUCKET_BYTES)
