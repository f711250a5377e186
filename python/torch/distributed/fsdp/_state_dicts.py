"""What state_dict() and load_state_dict() of wrapped modules hold: whole, sharded or flat parameters (torch/distributed/fsdp/_state_dict_utils.py)."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist
import torch.nn.functional as F

from ..tensor import DTensor, Replicate, Shard
from . import _lazy, _summon, _tensor_parallel
from ._sharded_tensor import ShardedTensor
from ._states import FLAT_PARAM, FSDP_PREFIX, clean_tensor_name, states_below
from .api import (
    FullOptimStateDictConfig,
    FullStateDictConfig,
    LocalOptimStateDictConfig,
    LocalStateDictConfig,
    ShardedOptimStateDictConfig,
    ShardedStateDictConfig,
    ShardingStrategy,
    StateDictSettings,
    StateDictType,
)

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


_CONFIGS = {
    StateDictType.FULL_STATE_DICT: (FullStateDictConfig, FullOptimStateDictConfig),
    StateDictType.LOCAL_STATE_DICT: (LocalStateDictConfig, LocalOptimStateDictConfig),
    StateDictType.SHARDED_STATE_DICT: (ShardedStateDictConfig, ShardedOptimStateDictConfig),
}
_HOST = torch.device("cpu")


def register(state: Any) -> None:
    state._state_dict_type = StateDictType.FULL_STATE_DICT
    state._state_dict_config = FullStateDictConfig()
    state._optim_state_dict_config = FullOptimStateDictConfig()
    state._unsharded_now = []
    state.register_state_dict_pre_hook(_before_saving)
    state._register_state_dict_hook(_after_saving)
    state._register_load_state_dict_pre_hook(_before_loading, with_module=True)
    state.register_load_state_dict_post_hook(_after_loading)


def set_type(module: torch.nn.Module, kind: Any, config: Any = None, optim_config: Any = None) -> Any:
    """Sets what the instances below a module give; what they gave before."""
    wanted, optim_wanted = _CONFIGS[kind]
    config = wanted() if config is None else config
    optim_config = optim_wanted() if optim_config is None else optim_config
    if type(config) is not wanted:
        raise RuntimeError(f"Expected state_dict_config of type {wanted} but got {type(config)}")
    if type(optim_config) is not optim_wanted:
        raise RuntimeError(f"Expected optim_state_dict_config of type {optim_wanted} but got {type(optim_config)}")
    before = get_type(module)
    for state in states_below(module):
        state._state_dict_type = kind
        state._state_dict_config, state._optim_state_dict_config = config, optim_config
    return before


def get_type(module: torch.nn.Module) -> Any:
    settings = None
    for state in states_below(module):
        own = StateDictSettings(state._state_dict_type, state._state_dict_config, state._optim_state_dict_config)
        if settings is not None and settings != own:
            raise AssertionError(f"All FSDP modules must have the same state dict settings.Got {own} and {settings}.")
        settings = own
    return settings or StateDictSettings(None, None, None)


@contextlib.contextmanager
def _whole_without_shards(state):
    """Unsharded parameters are given whole whatever was asked for."""
    if state.sharding_strategy != ShardingStrategy.NO_SHARD:
        if state._device_mesh is not None:
            if state._state_dict_type == StateDictType.LOCAL_STATE_DICT:
                raise RuntimeError(
                    "Found state_dict_type LOCAL_STATE_DICT. DeviceMesh is not compatible with LOCAL_STATE_DICT. "
                    "Please set state_dict_type to SHARDED_STATE_DICT to get DTensor state_dict."
                )
            state._state_dict_config._use_dtensor = True
        yield
        return
    before = state._state_dict_type, state._state_dict_config
    state._state_dict_type, state._state_dict_config = StateDictType.FULL_STATE_DICT, FullStateDictConfig()
    try:
        yield
    finally:
        state._state_dict_type, state._state_dict_config = before


def _unshards(state):
    return not (state.sharding_strategy == ShardingStrategy.NO_SHARD and state._use_orig_params)


def _enter(state, writeback=False, rank0_only=False, offload_to_cpu=False):
    if not _unshards(state):
        return
    context = _summon.unsharded(state, writeback, rank0_only, offload_to_cpu, False)
    context.__enter__()
    state._unsharded_now.append(context)


def _leave(state):
    if state._unsharded_now:
        state._unsharded_now.pop().__exit__(None, None, None)


def _renamed(state_dict, old, new):
    """Keys that begin with one prefix begin with another."""
    if old == new:
        return
    for key in list(state_dict):
        if key.startswith(old):
            state_dict[new + key[len(old) :]] = state_dict.pop(key)


def _names(state):
    """Names of the parameters of a flat one, shared ones included, as a plain module has them."""
    if state._handle is None:
        return []
    infos = (*state._handle.layout.param_infos, *state._handle.layout.shared_param_infos)
    return [clean_tensor_name(f"{p.module_name}.{p.param_name}" if p.module_name else p.param_name) for p in infos]


def _only_rank0(state):
    return state._state_dict_type == StateDictType.FULL_STATE_DICT and state._state_dict_config.rank0_only


@torch.no_grad()
def _before_saving(state, *_):
    with _whole_without_shards(state):
        kind = state._state_dict_type
        if kind != StateDictType.FULL_STATE_DICT and state._handle is not None and not state._handle.sharded:
            raise RuntimeError(f"``{kind.name.lower()}`` can only be used when parameters are flatten and sharded.")
        _lazy.lazy_init(state)
        if state._is_root:
            for handle in state._all_handles:
                handle.forget_missing_grads()
        if kind == StateDictType.FULL_STATE_DICT:
            config = state._state_dict_config
            _enter(state, rank0_only=config.rank0_only, offload_to_cpu=config.offload_to_cpu)
        elif kind == StateDictType.SHARDED_STATE_DICT:
            _enter(state)


@torch.no_grad()
def _after_saving(state, state_dict, prefix, *_):
    with _whole_without_shards(state):
        if state._state_dict_type == StateDictType.LOCAL_STATE_DICT:
            return _local_saved(state, state_dict, prefix)
        entry = _whole_entry if state._state_dict_type == StateDictType.FULL_STATE_DICT else _sharded_entry
        return _saved(state, state_dict, prefix, entry)


def _saved(state, state_dict, prefix, entry):
    _renamed(state_dict, prefix + FSDP_PREFIX, prefix)
    if not state_dict or state._handle is None:
        _leave(state)
        return state_dict
    nothing = _only_rank0(state) and state.rank != 0
    if nothing and not state._use_orig_params:
        for name in state._buffer_dtypes:
            state_dict.pop(prefix + name, None)
        state_dict.pop(prefix + FLAT_PARAM)
        _leave(state)
        return state_dict
    for name in _names(state):
        if nothing:
            state_dict.pop(prefix + name)
        else:
            entry(state, state_dict, prefix + name)
    _leave(state)
    buffers = {}
    for name in state._buffer_dtypes:
        key = prefix + name
        if key not in state_dict:
            continue
        if nothing:
            state_dict.pop(key)
            continue
        if state._state_dict_config.offload_to_cpu and state_dict[key].device != _HOST:
            state_dict[key] = state_dict[key].to(_HOST)
        buffers[key] = state._buffer_dtypes[name]
    if buffers and state.mixed_precision.buffer_dtype is not None:
        tensors = [state_dict[key] for key in buffers]
        _lazy.cast_buffers(tensors, buffers.values(), state.compute_device)
        for key, tensor in zip(buffers, tensors):
            state_dict[key] = tensor.clone()
    return state_dict


def _whole_entry(state, state_dict, key):
    if not getattr(state_dict[key], "_has_been_cloned", False):
        state_dict[key] = state_dict[key].detach().clone()
        state_dict[key]._has_been_cloned = True


def _sharded_entry(state, state_dict, key):
    shard = sharded(state, state_dict[key], state._state_dict_config._use_dtensor)
    state_dict[key] = shard.cpu() if state._state_dict_config.offload_to_cpu else shard


def sharded(state: Any, tensor: Tensor, as_dtensor: Any) -> Any:
    """A rank's rows of a whole tensor."""
    if as_dtensor:
        mesh = state._device_mesh
        outer = _tensor_parallel.outer_mesh(mesh)
        if outer is not None:
            return _tensor_parallel.chunked(tensor, outer)
        whole = DTensor.from_local(tensor.detach().clone(), mesh, [Replicate()] * mesh.ndim, run_check=False)
        return whole.redistribute(placements=[*[Replicate()] * (mesh.ndim - 1), Shard(0)])
    return ShardedTensor.chunked(tensor, state.process_group)


def _local_saved(state, state_dict, prefix):
    _renamed(state_dict, prefix + FSDP_PREFIX, prefix)
    handle = state._handle
    if handle is None:
        return state_dict
    flat = handle.flat_param
    valid = flat.numel() - handle.padded_numel
    part = flat[:valid].view(valid) if valid > 0 else None
    made = ShardedTensor(part, (handle.unsharded_size.numel(),), flat.numel() * state.rank, state.process_group)
    state_dict[prefix + FLAT_PARAM] = made.cpu() if state._state_dict_config.offload_to_cpu else made
    return state_dict


@torch.no_grad()
def _before_loading(state, state_dict, prefix, *_):
    _lazy.lazy_init(state)
    with _whole_without_shards(state):
        kind = state._state_dict_type
        if kind == StateDictType.FULL_STATE_DICT:
            _enter(state, writeback=True)
        _renamed(state_dict, prefix, prefix + FSDP_PREFIX)
        if state._handle is None or kind == StateDictType.FULL_STATE_DICT:
            return
        if not state._handle.sharded:
            raise RuntimeError(
                f"load_{kind.name.lower()} can only be called when parameters are flattened and sharded."
            )
        if kind == StateDictType.LOCAL_STATE_DICT:
            _local_loaded(state, state_dict, prefix + FSDP_PREFIX + FLAT_PARAM)
            return
        names = _names(state)
        specs = dict(zip(names, state._handle.layout.specs))
        for name in names:
            key = prefix + FSDP_PREFIX + name
            if key in state_dict:
                state_dict[key] = gathered(state, state_dict.pop(key), specs.get(name))
        _enter(state, writeback=True)


def gathered(state: Any, param: Any, spec: Any = None) -> Any:
    """The whole tensor of what every rank has some rows of; `spec`: how it was distributed before."""
    if isinstance(param, DTensor):
        param = param.to("cuda") if param.device.type != "cuda" else param
        if _tensor_parallel.outer_mesh(state._device_mesh) is not None:
            return _tensor_parallel.gathered(param, spec)
        placements = [*param.placements[:-1], Replicate()]
        return param.redistribute(device_mesh=param.device_mesh, placements=placements).to_local()
    shards, size = param.local_shards(), param.size()
    rows = -(-size[0] // state.world_size)
    chunk = rows * size.numel() // size[0]
    if shards:
        local = shards[0].tensor.flatten().to(state.compute_device)
        if chunk > local.numel():
            local = F.pad(local, [0, chunk - local.numel()])
    else:
        local = torch.zeros(chunk, dtype=param.dtype, device=state.compute_device)
    whole = torch.empty(chunk * state.world_size, dtype=local.dtype, device=state.compute_device)
    dist.all_gather_into_tensor(whole, local, group=state.process_group)
    return whole.narrow(0, 0, size.numel()).reshape(size)


def _local_loaded(state, state_dict, key):
    handle, loaded = state._handle, state_dict.get(key)
    if not isinstance(loaded, ShardedTensor):
        raise AssertionError("Tensors in local_state_dict should be ShardedTensor.")
    shards = loaded.local_shards()
    local = shards[0].tensor if shards else handle.flat_param
    if shards and handle.padded_numel > 0:
        local = F.pad(local, [0, handle.padded_numel])
    state_dict[key] = local


@torch.no_grad()
def _after_loading(state, incompatible_keys):
    _leave(state)
    for keys in incompatible_keys:
        keys[:] = [clean_tensor_name(key) for key in keys]
