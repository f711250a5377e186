"""Whole state dicts into those of parallel models: every rank cuts its part, or rank 0 sends each tensor (_state_dict_utils.py)."""

from typing import NamedTuple

import torch

from . import _world
from ._collectives import broadcast
from ._objects import broadcast_object_list
from .tensor import DTensor, distribute_tensor
from .tensor._spec import global_offset_of, local_shape_of


class _TensorInfo(NamedTuple):
    size: torch.Size
    dtype: torch.dtype


def _described(state):
    """What the ranks are told of a state dict: numbers as they are, tensors by their size."""
    infos = {}
    for key, value in state.items():
        if not torch.is_tensor(value):
            infos[key] = value
        elif value.dim() == 0:
            infos[key] = value.cpu()
        else:
            infos[key] = _TensorInfo(value.size(), value.dtype)
    return infos


def _broadcast_tensor(source, local_state, key, info, device, group):
    if _world.get_rank() == 0:
        full = source.detach().to(device)
    else:
        full = torch.empty(size=info.size, device=device, dtype=info.dtype)
    broadcast(full, src=0, group=group)
    local = local_state.get(key)
    if local is None:
        return
    if not isinstance(local, DTensor):
        local_state[key] = full
        return
    mesh, placements = local.device_mesh, local.placements
    sizes, offsets = local_shape_of(full.shape, mesh, placements), global_offset_of(full.shape, mesh, placements)
    part = full[tuple(slice(start, start + size) for start, size in zip(offsets, sizes))]
    if local.is_meta:
        part = part.detach().clone()
        local = DTensor.from_local(part, mesh, placements, shape=local.shape, stride=local.stride())
    else:
        local.to_local().copy_(part)
    local_state[key] = local


def _broadcast_state_dict(full_state, local_state, device, pg=None, strict=False, cpu_offload=False):
    """Rank 0 sends each tensor by itself; every rank copies its part into `local_state`."""
    group = pg if pg is not None else _world._require()
    here = _world.get_rank() == 0
    # a rank that runs alone takes the sizes of its own model
    infos = [_described(full_state if here else local_state)]
    broadcast_object_list(infos, src=0, group=group)
    for key, value in infos[0].items():
        if isinstance(value, _TensorInfo):
            _broadcast_tensor(full_state[key] if here else None, local_state, key, value, device, group)
            if cpu_offload:
                local_state[key] = local_state[key].cpu()
        elif key in local_state:
            local_state[key] = value
    if strict:
        for key in set(local_state) - set(infos[0]):
            local_state.pop(key)


def _distribute_state_dict(full_state, local_state, device, pg=None):
    """Every rank has the whole state dict, and cuts its part as `distribute_tensor` does."""
    for key, value in full_state.items():
        if not torch.is_tensor(value):
            local_state[key] = value
        elif value.dim() == 0:
            local_state[key] = value.cpu()
        elif isinstance(local := local_state.get(key), DTensor):
            local_state[key] = distribute_tensor(value.detach().to(device), local.device_mesh, local.placements)
        elif local is not None:
            local_state[key] = value.detach().to(device)


def _flatten_state_dict(state):
    """One dictionary of nested ones, with the way to each value under its joined names."""
    flat, ways = {}, {}

    def walk(way, value):
        if isinstance(value, dict):
            items = value.items()
        elif isinstance(value, (list, tuple)):
            items = enumerate(value)
        else:
            name = ".".join(map(str, way))
            flat[name], ways[name] = value, way
            return
        for key, item in items:
            walk((*way, str(key) if isinstance(value, dict) else key), item)

    walk((), state)
    return flat, ways


def _unflatten_state_dict(flat, ways):
    nested = {}
    for name, value in flat.items():
        here, way = nested, ways[name]
        for key, following in zip(way, way[1:]):
            here = _child(here, key, [] if type(following) is int else {})
        _put(here, way[-1], value)
    return nested


def _child(here, key, empty):
    if isinstance(here, dict):
        return here.setdefault(key, empty)
    here.extend([None] * (key + 1 - len(here)))
    if here[key] is None:
        here[key] = empty
    return here[key]


def _put(here, key, value):
    if isinstance(here, list):
        here.extend([None] * (key + 1 - len(here)))
    here[key] = value
