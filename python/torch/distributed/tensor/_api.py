"""Making distributed tensors: out of whole ones, out of nothing, and of a module's parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import _random
from ..device_mesh import _mesh_resources
from ._dtensor import DTensor
from ._spec import DTensorSpec, TensorMeta, local_shape_of, normalized
from .placement_types import Replicate, Shard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor
    from torch.distributed.device_mesh import DeviceMesh
    from torch.distributed.tensor.placement_types import Placement


def distribute_tensor(
    tensor: Tensor,
    device_mesh: DeviceMesh | None = None,
    placements: Sequence[Placement] | None = None,
    *,
    src_data_rank: int | None = 0,
) -> DTensor:
    """Each rank's part of a tensor that the first rank has."""
    mesh = device_mesh or _mesh_resources.get_current_mesh()
    placements = normalized(placements or [Replicate()] * mesh.ndim, tensor.ndim)
    if len(placements) != mesh.ndim:
        raise ValueError(
            f"`placements` must have the same length as `device_mesh.ndim`! Found placements length: {len(placements)}, and device_mesh.ndim: {mesh.ndim}."
        )
    if isinstance(tensor, DTensor):
        if tensor.device_mesh != mesh or tensor.placements != placements:
            raise ValueError("Cannot distribute a DTensor with another mesh or other placements")
        return tensor
    if not tensor.is_leaf:
        raise RuntimeError("`distribute_tensor` should be used to distribute leaf tensors! but found non-leaf tensor!")
    if mesh.device_type != tensor.device.type and not tensor.is_meta:
        tensor = tensor.to(mesh.device_type)
    local = tensor.detach()
    for axis, placement in enumerate(placements):
        if isinstance(placement, Shard):
            if placement.dim >= tensor.ndim:
                raise RuntimeError(f"Sharding dim {placement.dim} greater than tensor ndim {tensor.ndim}")
            local = placement._shard_tensor(local, mesh, axis, src_data_rank)
        elif placement.is_replicate():
            local = placement._replicate_tensor(local, mesh, axis, src_data_rank)
        else:
            local = placement._partition_value(local, mesh, axis)
    spec = DTensorSpec(mesh, placements, TensorMeta(tensor.shape, tensor.stride(), tensor.dtype))
    return DTensor(local, spec, requires_grad=tensor.requires_grad)


def distribute_module(
    module: torch.nn.Module,
    device_mesh: DeviceMesh | None = None,
    partition_fn: Callable | None = None,
    input_fn: Callable | None = None,
    output_fn: Callable | None = None,
) -> torch.nn.Module:
    """A module whose parameters are distributed: by the function, and all others replicated."""
    mesh = device_mesh or _mesh_resources.get_current_mesh()

    def replicate(part):
        everywhere = [Replicate()] * mesh.ndim
        for key, parameter in part._parameters.items():
            if parameter is not None and not isinstance(parameter, DTensor):
                part.register_parameter(key, torch.nn.Parameter(distribute_tensor(parameter.data, mesh, everywhere)))
        for key, buffer in part._buffers.items():
            if buffer is not None and not isinstance(buffer, DTensor):
                part._buffers[key] = distribute_tensor(buffer, mesh, everywhere)

    for name, part in module.named_modules():
        if partition_fn is not None:
            partition_fn(name, part, mesh)
        replicate(part)
    if input_fn is not None:
        module.register_forward_pre_hook(lambda mod, inputs: input_fn(mod, inputs, mesh))
    if output_fn is not None:
        module.register_forward_hook(lambda mod, inputs, outputs: output_fn(mod, outputs, mesh))
    module._distribute_module_applied = True
    return module


def _made(make, size, dtype, mesh, placements, requires_grad, layout=None):
    mesh = mesh or _mesh_resources.get_current_mesh()
    size = torch.Size(size[0] if len(size) == 1 and not isinstance(size[0], int) else size)
    placements = normalized(placements or (Replicate(),) * mesh.ndim, len(size))
    local = make(local_shape_of(size, mesh, placements), dtype=dtype, device=mesh.device_type)
    spec = DTensorSpec(mesh, placements, TensorMeta(size, torch.empty(size, device="meta").stride(), local.dtype))
    return DTensor(local, spec, requires_grad=requires_grad)


def _factory(name):
    def make(*size, requires_grad=False, dtype=None, layout=None, device_mesh=None, placements=None):
        if name in ("rand", "randn"):
            _random.before_random()
            _random.read_state()
        return _made(getattr(torch, name), size, dtype, device_mesh, placements, requires_grad)

    make.__name__ = make.__qualname__ = name
    return make


zeros, ones, empty, rand, randn = map(_factory, ("zeros", "ones", "empty", "rand", "randn"))


def full(
    size: int | Sequence[int],
    fill_value: int | float,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    requires_grad: bool = False,
    device_mesh: DeviceMesh | None = None,
    placements: Sequence[Placement] | None = None,
) -> DTensor:
    return _made(
        lambda shape, **options: torch.full(shape, fill_value, **options),
        (size,), dtype, device_mesh, placements, requires_grad,
    )  # fmt: skip
