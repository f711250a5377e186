"""Collectives of Python objects. The bytes on the device are made as in PyTorch; what crosses goes through the host."""

from __future__ import annotations

import io
import pickle
from typing import TYPE_CHECKING

import torch

from . import _exchange, _world
from ._collectives import _not_here, _root, all_gather, broadcast, gather, scatter
from ._world import _resolve

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch.distributed._nccl import ProcessGroup


def _pickled(obj):
    buffer = io.BytesIO()
    try:
        pickle.Pickler(buffer).dump(obj)
    except (TypeError, AttributeError, pickle.PicklingError):
        if _exchange.together():
            raise
        return b"\0" * 512
    return buffer.getvalue()


def _object_to_tensor(obj, device, group=None):
    """A pickled object as bytes on the device, and its length."""
    data = torch.empty(len(_pickled(obj)), dtype=torch.uint8).to(device)
    length = torch.empty(1, dtype=torch.long).to(device)
    return data, length


def _device(group, device=None):
    return torch.device(device) if device is not None else _world._get_pg_default_device(group)


def all_gather_object(
    object_list: list, obj: Any, group: ProcessGroup | None = None, weights_only: bool = False
) -> None:
    if _not_here(group, "all_gather_object"):
        return
    group = _resolve(group)
    device, count = _device(group), group.size()
    data, length = _object_to_tensor(obj, device, group)
    lengths = torch.zeros(count, dtype=torch.long, device=device)
    length_list = [lengths[i].unsqueeze(dim=0) for i in range(count)]
    all_gather(length_list, length, group=group)
    objects = _exchange.gather(group, obj)
    longest = max(len(_pickled(each)) for each in objects)
    max(length_list).item()
    data.resize_(longest)
    flat = torch.empty(longest * count, dtype=torch.uint8, device=device)
    outputs = [flat[longest * i : longest * (i + 1)] for i in range(count)]
    all_gather(outputs, data, group=group)
    object_list[:count] = objects


def gather_object(
    obj: Any,
    object_gather_list: list | None = None,
    dst: int | None = None,
    group: ProcessGroup | None = None,
    group_dst: int | None = None,
    weights_only: bool = False,
) -> None:
    if _not_here(group, "gather_object"):
        return
    group = _resolve(group)
    root = _root(group, dst, group_dst, 0)
    device, count = _device(group), group.size()
    data, length = _object_to_tensor(obj, device, group)
    lengths = torch.zeros(count, dtype=torch.long, device=device)
    length_list = [lengths[i].unsqueeze(dim=0) for i in range(count)]
    all_gather(length_list, length, group=group)
    objects = _exchange.gather(group, obj, "gather_object")
    longest = max(len(_pickled(each)) for each in objects)
    max(length_list).item()
    data.resize_(longest)
    outputs = None
    if group.rank() == root:
        flat = torch.empty(longest * count, dtype=torch.uint8, device=device)
        outputs = [flat[longest * i : longest * (i + 1)] for i in range(count)]
    gather(data, gather_list=outputs, group_dst=root, group=group)
    if group.rank() == root:
        object_gather_list[:count] = objects


def broadcast_object_list(
    object_list: list,
    src: int | None = None,
    group: ProcessGroup | None = None,
    device: torch.device | None = None,
    group_src: int | None = None,
    weights_only: bool = False,
) -> None:
    if _not_here(group, "broadcast_object_list"):
        return
    group = _resolve(group)
    root = _root(group, src, group_src, 0)
    device = _device(group, device)
    here = group.rank() == root
    objects = _exchange.of_root(group, root, list(object_list), "broadcast_object_list")
    # a rank that runs alone has nothing but its own objects
    objects = list(object_list) if objects is None else objects
    if here:
        tensors, lengths_list = zip(*[_object_to_tensor(obj, device, group) for obj in object_list])
        lengths = torch.cat(lengths_list)
    else:
        lengths = torch.empty(len(object_list), dtype=torch.long, device=device)
    broadcast(lengths, group_src=root, group=group)
    if here:
        data = tensors[0] if len(tensors) == 1 else torch.cat(tensors)
    else:
        torch.sum(lengths)
        total = sum(len(_pickled(obj)) for obj in objects)
        data = torch.empty(total, dtype=torch.uint8, device=device)
    broadcast(data, group_src=root, group=group)
    if not here:
        object_list[:] = objects


def scatter_object_list(
    scatter_object_output_list: list,
    scatter_object_input_list: Sequence[object] | None = None,
    src: int | None = None,
    group: ProcessGroup | None = None,
    group_src: int | None = None,
    weights_only: bool = False,
) -> None:
    if _not_here(group, "scatter_object_list"):
        return
    group = _resolve(group)
    root = _root(group, src, group_src, 0)
    device, here = _device(group), group.rank() == root
    objects = _exchange.of_root(group, root, scatter_object_input_list, "scatter_object_list")
    own = objects[group.rank()] if objects is not None else None
    sizes = [len(_pickled(obj)) for obj in objects] if objects is not None else [len(_pickled(own))]
    tensors = lengths = None
    if here:
        tensors, lengths = zip(*[_object_to_tensor(obj, device, group) for obj in scatter_object_input_list])
        tensors, lengths = list(tensors), list(lengths)
        for t in tensors:
            t.resize_(max(sizes))
    longest = torch.empty(1, dtype=torch.long).to(device)
    broadcast(longest, group_src=root, group=group)
    output = torch.empty(max(sizes), dtype=torch.uint8, device=device)
    scatter(output, scatter_list=tensors, group_src=root, group=group)
    length = torch.empty(1, dtype=torch.long).to(device)
    scatter(length, scatter_list=lengths, group_src=root, group=group)
    scatter_object_output_list[0] = own
