"""From one placement to another: the steps for a local tensor, and the autograd function around them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from torch.autograd import Function

from .. import _functional_collectives as funcol
from ._spec import DTensorSpec, local_shape_of
from .placement_types import Partial, Replicate, Shard, _StridedShard

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from torch.distributed.tensor._dtensor import DTensor
    from torch.distributed.device_mesh import DeviceMesh
    from torch.distributed.tensor.placement_types import Placement


def steps_between(current: DTensorSpec, target: DTensorSpec) -> list:
    """Tuples of axis, placement before and after, one after another: first from the right what nested shards need, then from the left."""
    mesh = current.mesh
    place = list(current.placements)
    steps = []
    shards = math.prod(mesh.size(axis) for axis, p in enumerate(place) if isinstance(p, Shard))
    if mesh.ndim > 1 and shards > 1:
        for axis in reversed(range(mesh.ndim)):
            have, want = place[axis], target.placements[axis]
            if isinstance(want, Shard):
                # a dimension is cut from the left: what is cut further left must be as it will be
                before = [i for i in range(axis) if isinstance(place[i], Shard) and place[i].dim == want.dim]
                after = [
                    i
                    for i in range(axis)
                    if isinstance(target.placements[i], Shard) and target.placements[i].dim == want.dim
                ]
                if before != after:
                    want = Replicate()
            if have != want:
                steps.append((axis, have, want))
                place[axis] = want
    for axis, (have, want) in enumerate(zip(place, target.placements)):
        if have != want:
            steps.append((axis, have, want))
    return steps


def _logical_shapes(spec):
    """For each axis, the shape that is cut along it."""
    shapes, shape = [], list(spec.shape)
    place = spec.mesh.get_coordinate()
    for axis, placement in enumerate(spec.placements):
        shapes.append(list(shape))
        if isinstance(placement, Shard):
            size = Shard.local_shard_size_and_offset(shape[placement.dim], spec.mesh.size(axis), place[axis])[0]
            shape = list(shape)
            shape[placement.dim] = size
    return shapes


def _gathered_inside(local_tensor, spec, target):
    """Strided parts that are parts of the parts of axes further right: they are gathered first, as they were cut last."""
    mesh, place = spec.mesh, list(spec.placements)
    for axis, have in enumerate(place):
        if not isinstance(have, _StridedShard) or have == target.placements[axis]:
            continue
        right = [i for i in range(axis + 1, mesh.ndim) if _cuts(place[i], have.dim)]
        if not right or have.split_factor != math.prod(mesh.size(i) for i in right):
            continue
        others = [p if i != axis else Replicate() for i, p in enumerate(place)]
        shape = list(local_shape_of(spec.shape, mesh, others))
        local_tensor = Shard._to_replicate_tensor(have, local_tensor, mesh, axis, shape)
        if isinstance(local_tensor, funcol.AsyncCollectiveTensor):
            local_tensor = local_tensor.wait()
        place[axis] = Replicate()
    return local_tensor, DTensorSpec(mesh, tuple(place), spec.tensor_meta)


def _cuts(placement, dim):
    return isinstance(placement, Shard) and not isinstance(placement, _StridedShard) and placement.dim == dim


def redistribute_local_tensor(
    local_tensor: Tensor, current_spec: DTensorSpec, target_spec: DTensorSpec, *, async_op: bool = False, **_: Any
) -> Tensor:
    """This rank's part after the change."""
    mesh = current_spec.mesh
    if mesh != target_spec.mesh:
        raise NotImplementedError("Cross device mesh comm not supported yet!")
    local_tensor, current_spec = _gathered_inside(local_tensor, current_spec, target_spec)
    place = mesh.get_coordinate()
    new = local_tensor
    shapes = _logical_shapes(current_spec)
    for axis, have, want in steps_between(current_spec, target_spec):
        if mesh.size(axis) == 1:
            new = local_tensor
            continue
        if want.is_replicate():
            if have.is_partial():
                new = have._reduce_value(local_tensor, mesh, axis)
            else:
                new = have._to_replicate_tensor(local_tensor, mesh, axis, shapes[axis])
        elif isinstance(want, Shard):
            if have.is_partial():
                new = have._reduce_shard_value(local_tensor, mesh, axis, want)
            elif have.is_replicate():
                new = want._replicate_to_shard(local_tensor, mesh, axis, place[axis])
            elif have.dim != want.dim:
                new = have._to_new_shard_dim(local_tensor, mesh, axis, shapes[axis], want.dim)
        elif isinstance(want, Partial):
            if not have.is_replicate():
                raise RuntimeError(f"redistribute from {have} to {want} not supported yet")
            new = want._partition_value(local_tensor, mesh, axis)
        if not async_op and isinstance(new, funcol.AsyncCollectiveTensor):
            new = new.wait()
        local_tensor = new
    return new


class Redistribute(Function):
    """A distributed tensor under other placements; its gradient goes back to those that it had."""

    @staticmethod
    def forward(
        ctx: Any,
        input: DTensor,
        device_mesh: DeviceMesh,
        placements: tuple[Placement, ...],
        async_op: bool,
        forward_dtype: Any,
        backward_dtype: Any,
    ) -> Any:
        from ._dtensor import DTensor

        ctx.async_op, ctx.backward_dtype, ctx.original_dtype = async_op, backward_dtype, input.dtype
        local, current = input._local_tensor, input._spec
        if forward_dtype is not None and forward_dtype != local.dtype:
            local = local.to(forward_dtype)
        ctx.current_spec = current
        if current.placements != placements:
            target = DTensorSpec(device_mesh, placements, current.tensor_meta)
            output = redistribute_local_tensor(local, current, target, async_op=async_op)
        else:
            output, target = local, current
        return DTensor(output, target, requires_grad=input.requires_grad)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        from ._dtensor import DTensor

        previous, current, local = ctx.current_spec, grad._spec, grad._local_tensor
        if ctx.backward_dtype is not None and ctx.backward_dtype != local.dtype:
            local = local.to(ctx.backward_dtype)
        # nothing becomes partial on its way back
        wanted = tuple(
            Replicate() if want.is_partial() and not have.is_partial() else want
            for have, want in zip(current.placements, previous.placements)
        )
        target = DTensorSpec(previous.mesh, wanted, current.tensor_meta)
        output = redistribute_local_tensor(local, current, target, async_op=ctx.async_op)
        if output.dtype != ctx.original_dtype:
            output = output.to(ctx.original_dtype)
        return DTensor(output, target, requires_grad=grad.requires_grad), None, None, None, None, None
