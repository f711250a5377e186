"""fully_shard (FSDP2): parameters are sharded one by one and gathered module by module."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ... import _world
from ...device_mesh import init_device_mesh
from ...tensor import DTensor
from ._api import (
    CPUOffloadPolicy,
    DataParallelMeshDims,
    MixedPrecisionPolicy,
    OffloadPolicy,
    after_forward,
    mesh_info_of,
)
from ._group import FSDPParamGroup
from ._module import FSDPModule, UnshardHandle, register_fsdp_forward_method
from ._param import ShardPlacementResult
from ._state import FSDPState

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch.distributed.device_mesh import DeviceMesh


_classes = {}


def _managed(roots):
    """The modules whose parameters belong here: all below that are not under another fully_shard."""
    found, visited = [], set()

    def visit(module):
        if module not in roots and "_fsdp_state" in module.__dict__:
            return
        visited.add(module)
        for child in module.children():
            if child not in visited:
                visit(child)
        found.append(module)

    for root in roots:
        visit(root)
    return found


def _states(modules, ignored):
    params, buffers, seen = [], [], set()
    for module in modules:
        for name, param in module.named_parameters(recurse=False):
            if param in ignored or param in seen:
                continue
            if param.ndim == 0:
                raise ValueError(
                    f"fully_shard doesn't support scalar parameters. Change {name} to a 1D tensor with numel equal to 1."
                )
            seen.add(param)
            params.append(param)
        for buffer in module.buffers(recurse=False):
            if buffer not in seen:
                seen.add(buffer)
                buffers.append(buffer)
    return params, buffers


def fully_shard(
    module: torch.nn.Module | list[torch.nn.Module], *, mesh: DeviceMesh | None=None, reshard_after_forward: bool | int | None=None, shard_placement_fn: Callable | None=None, mp_policy: MixedPrecisionPolicy=MixedPrecisionPolicy(),
    offload_policy: OffloadPolicy=OffloadPolicy(), ignored_params: set[torch.nn.Parameter] | None=None, dp_mesh_dims: DataParallelMeshDims | None=None,
) -> FSDPModule | list[FSDPModule]:  # fmt: skip
    """Shards the parameters of a module (or several as one) over the mesh; see torch.distributed.fsdp.fully_shard."""
    modules = (module,) if isinstance(module, nn.Module) else tuple(module)
    for each in modules:
        if isinstance(each, (nn.ModuleList, nn.ModuleDict)) and type(each).forward is nn.Module.forward:
            raise ValueError(f"fully_shard does not support containers that do not implement forward: {each}")
        if "_fsdp_state" in each.__dict__:
            raise AssertionError("fully_shard has already been applied to this module")
    if mesh is None:
        if not _world.is_initialized():
            _world.init_process_group()
        mesh = init_device_mesh("cuda", (_world.get_world_size(),))
    info = mesh_info_of(mesh, dp_mesh_dims)
    device = torch.device("cpu") if mesh.device_type == "cpu" else torch.device("cuda", torch.cuda.current_device())
    auto = reshard_after_forward is None
    reshard_after_forward = True if auto else reshard_after_forward
    post_forward = after_forward(reshard_after_forward, info) if info.shards else None
    roots = [m for m in modules if not any(m is not other and m in set(other.modules()) for other in modules)]
    params, buffers = _states(_managed(tuple(roots)), ignored_params or set())
    for tensor in (*params, *buffers):
        if tensor.device != device and tensor.device.type != "meta" and not isinstance(tensor, DTensor):
            tensor.data = tensor.to(device)
    state = FSDPState(tuple(roots), device, mp_policy, auto)
    for group_params, group_info in _by_mesh(params, info, shard_placement_fn):
        group_post = post_forward
        if group_info is not info:
            group_post = after_forward(reshard_after_forward, group_info)
        state.groups.append(
            FSDPParamGroup(
                group_params,
                tuple(roots),
                group_info,
                group_post,
                device,
                shard_placement_fn,
                mp_policy,
                offload_policy,
            )
        )
    for each in roots:
        cls = each.__class__
        if cls not in _classes:
            _classes[cls] = type(f"FSDP{cls.__name__}", (FSDPModule, cls), {"__module__": cls.__module__})
        each.__class__ = _classes[cls]
    return module


def _by_mesh(params, info, shard_placement_fn):
    """Parameters with the mesh that each is sharded over, one group for each mesh."""
    if not params:
        return []
    if shard_placement_fn is None:
        return [(params, info)]
    groups = {}
    for param in params:
        placement = shard_placement_fn(param)
        own = placement.mesh_info if isinstance(placement, ShardPlacementResult) else info
        groups.setdefault((own.shard_group, own.replicate_group), (own, []))[1].append(param)
    return [(members, own) for own, members in groups.values()]


__all__ = [
    "CPUOffloadPolicy",
    "DataParallelMeshDims",
    "FSDPModule",
    "MixedPrecisionPolicy",
    "OffloadPolicy",
    "ShardPlacementResult",
    "UnshardHandle",
    "fully_shard",
    "register_fsdp_forward_method",
]
