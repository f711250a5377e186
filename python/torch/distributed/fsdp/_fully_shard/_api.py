"""Policies of fully_shard, and the meshes that it works over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from torch import Tensor


@dataclass(frozen=True)
class MixedPrecisionPolicy:
    """The dtypes of compute, of reduction and of outputs."""

    param_dtype: object = None
    reduce_dtype: object = None
    output_dtype: object = None
    cast_forward_inputs: bool = True


@dataclass
class OffloadPolicy:
    """Nothing is offloaded."""


@dataclass
class CPUOffloadPolicy(OffloadPolicy):
    """Sharded parameters, gradients and optimizer states are on the host."""

    pin_memory: bool = True


@dataclass
class DataParallelMeshDims:
    """Names of the axes of a mesh that shard, and of those that replicate."""

    shard: object = None
    replicate: object = None

    @property
    def shard_names(self) -> tuple[str, ...]:
        return (self.shard,) if isinstance(self.shard, str) else tuple(self.shard or ())

    @property
    def replicate_names(self) -> tuple[str, ...]:
        return (self.replicate,) if isinstance(self.replicate, str) else tuple(self.replicate or ())


class MeshInfo:
    """The groups that shard and that replicate, of a mesh with one axis or two; either may be missing."""

    def __init__(self, mesh: Any, shard_dim: Any = None, replicate_dim: Any = None) -> None:
        self.mesh, self.shard_dim, self.replicate_dim = mesh, shard_dim, replicate_dim
        self.shards = shard_dim is not None
        self.replicates = replicate_dim is not None
        if self.shards:
            self.shard_group = mesh.get_group(shard_dim)
            self.shard_size, self.shard_rank = mesh.size(shard_dim), self.shard_group.rank()
        else:
            self.shard_group, self.shard_size, self.shard_rank = None, 1, 0
        self.replicate_group = mesh.get_group(replicate_dim) if self.replicates else None


def mesh_info_of(mesh: Any, dims: int | Sequence[int] | None = None) -> MeshInfo:
    if dims is not None:
        shard, replicate = dims.shard_names, dims.replicate_names
        part = lambda names: mesh[names[0]] if len(names) == 1 else mesh[names]._flatten("_".join(names))  # noqa: E731
        if not shard:
            return MeshInfo(part(replicate), None, 0)
        if not replicate:
            return MeshInfo(part(shard), 0)
        return MeshInfo(type(mesh)._concatenate([part(replicate), part(shard)]), 1, 0)
    if mesh.ndim not in (1, 2):
        raise ValueError(f"fully_shard expects a 1D or 2D DeviceMesh but got {mesh}")
    if mesh.ndim == 2 and mesh.mesh_dim_names is None:
        raise AssertionError("Please init the 2D mesh for HSDP with mesh_dim_names specified")
    return MeshInfo(mesh, 0) if mesh.ndim == 1 else MeshInfo(mesh, 1, 0)


def after_forward(reshard_after_forward: Any, info: Any) -> Any:
    """The mesh over which parameters are sharded between forward and backward; None where they stay whole."""
    size = info.shard_size
    if not isinstance(reshard_after_forward, bool):
        if reshard_after_forward < 1 or reshard_after_forward > size or size % reshard_after_forward:
            raise ValueError(
                f"If passing reshard_after_forward as an int, it should be a factor of {size}, not {reshard_after_forward}"
            )
        if reshard_after_forward == 1:
            reshard_after_forward = False
        elif reshard_after_forward == size:
            reshard_after_forward = True
    if reshard_after_forward is True:
        return info
    if reshard_after_forward is False:
        return None
    from ...device_mesh import DeviceMesh

    ranks, k = info.mesh._all, reshard_after_forward
    rows = [ranks[i : i + k] for i in range(0, len(ranks), k)]
    return MeshInfo(DeviceMesh(info.mesh.device_type, rows), 1, 0)


def cast(dtype: torch.dtype, tensor: Tensor) -> Any:
    if isinstance(tensor, torch.Tensor) and tensor.is_floating_point() and tensor.dtype != dtype:
        return tensor.to(dtype)
    return tensor


def apply_to_tensors(function: Callable, value: Any) -> Any:
    """The same nested structure with every tensor replaced."""
    if isinstance(value, torch.Tensor):
        return function(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[apply_to_tensors(function, item) for item in value])
    if isinstance(value, (list, tuple)):
        return type(value)(apply_to_tensors(function, item) for item in value)
    if isinstance(value, dict):
        made = type(value)() if type(value) is not dict else {}
        for key, item in value.items():
            made[key] = apply_to_tensors(function, item)
        return made
    if hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        from dataclasses import replace

        return replace(value, **{f: apply_to_tensors(function, getattr(value, f)) for f in value.__dataclass_fields__})
    return value


def differentiable_tensors(value: Any) -> Any:
    found = []
    apply_to_tensors(lambda t: (found.append(t) if t.requires_grad else None, t)[1], value)
    return found
