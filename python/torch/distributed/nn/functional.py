"""Collectives as autograd functions: the gradient goes the other way (torch/distributed/nn/functional.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import distributed as dist
from torch.autograd import Function
from torch.distributed import ReduceOp

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor
    from torch.distributed._nccl import ProcessGroup
    from torch.distributed._nccl import Work


class _Broadcast(Function):
    @staticmethod
    def forward(ctx: Any, src: Any, group: torch.distributed.ProcessGroup, tensor: Tensor) -> Any:
        ctx.src, ctx.group = src, group
        tensor = tensor.clone()
        dist.broadcast(tensor, src, group=group)
        return tensor

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        back = _Reduce.apply(ctx.src, ReduceOp.SUM, ctx.group, grad)
        if ctx.src != dist.get_rank():
            back.zero_()
        return None, None, back


class _Reduce(Function):
    @staticmethod
    def forward(ctx: Any, dst: int, op: Any, group: torch.distributed.ProcessGroup, tensor: Tensor) -> Any:
        ctx.dst, ctx.group = dst, group
        tensor = tensor.clone()
        dist.reduce(tensor, dst, op=op, group=group)
        return tensor

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        return None, None, None, _Broadcast.apply(ctx.dst, ctx.group, grad)


class _Gather(Function):
    @staticmethod
    def forward(ctx: Any, dst: int, group: torch.distributed.ProcessGroup, tensor: Tensor) -> tuple:
        ctx.dst, ctx.group = dst, group
        # every rank makes room for all, also those that send
        made = [torch.zeros_like(tensor) for _ in range(dist.get_world_size(group=group))]
        here = dist.get_rank(group=group) == dst
        dist.gather(tensor.contiguous(), made if here else None, dst, group=group)
        return tuple(made)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple:
        return None, None, _Scatter.apply(ctx.dst, ctx.group, *grads)


class _Scatter(Function):
    @staticmethod
    def forward(ctx: Any, src: Any, group: torch.distributed.ProcessGroup, *tensors: Any) -> Any:
        ctx.src, ctx.group = src, group
        made = torch.zeros_like(tensors[0])
        here = dist.get_rank(group=group) == src
        dist.scatter(made, list(tensors) if here else None, src, group=group)
        return made

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        return None, None, *_Gather.apply(ctx.src, ctx.group, grad)


class _ReduceScatter(Function):
    @staticmethod
    def forward(ctx: Any, op: Any, group: torch.distributed.ProcessGroup, output: Any, *tensors: Any) -> Any:
        ctx.group = group
        output = output.contiguous()
        parts = tuple(t.contiguous() for t in tensors)
        dist.reduce_scatter(output, list(parts), op=op, group=group)
        return output

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        return None, None, None, *_AllGather.apply(ctx.group, grad)


class _AllGather(Function):
    @staticmethod
    def forward(ctx: Any, group: torch.distributed.ProcessGroup, tensor: Tensor) -> tuple:
        tensor = tensor.contiguous()
        ctx.group = group
        made = [torch.empty_like(tensor) for _ in range(dist.get_world_size(group=group))]
        dist.all_gather(made, tensor, group=group)
        return tuple(made)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple:
        if dist.get_backend(group=ctx.group) != "nccl":
            rooms = [torch.empty_like(grad) for grad in grads]
            return None, torch.sum(torch.stack(_AllToAll.apply(ctx.group, rooms, *grads)), dim=0)
        back = torch.empty_like(grads[dist.get_rank(group=ctx.group)])
        return None, _ReduceScatter.apply(ReduceOp.SUM, ctx.group, back, *grads)


class _AllGatherBase(Function):
    @staticmethod
    def forward(ctx: Any, output: Any, tensor: Tensor, group: torch.distributed.ProcessGroup) -> Any:
        ctx.group = group
        dist.all_gather_into_tensor(output, tensor.contiguous(), group=group)
        return output

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        size, world = list(grad.size()), dist.get_world_size(group=ctx.group)
        if size[0] % world:
            raise RuntimeError(
                f"Tensor with dimensions: {size} does not have first dimension divisible by world_size: {world}"
            )
        back = torch.empty([size[0] // world, *size[1:]], device=grad.device, dtype=grad.dtype)
        dist.reduce_scatter_tensor(back, grad, ReduceOp.SUM, ctx.group)
        return None, back, None


class _AllToAll(Function):
    @staticmethod
    def forward(ctx: Any, group: torch.distributed.ProcessGroup, rooms: Any, *tensors: Any) -> tuple:
        ctx.group, ctx.sizes = group, [t.size() for t in tensors]
        tensors = tuple(t.contiguous() for t in tensors)
        dist.all_to_all(rooms, list(tensors), group=group)
        return tuple(rooms)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple:
        rooms = [torch.empty(size, device=grads[0].device, dtype=grads[0].dtype) for size in ctx.sizes]
        return None, None, *_AllToAll.apply(ctx.group, rooms, *grads)


class _AllToAllSingle(Function):
    @staticmethod
    def forward(
        ctx: Any,
        group: torch.distributed.ProcessGroup,
        output: Any,
        output_splits: Any,
        input_splits: Any,
        tensor: Tensor,
    ) -> Any:
        ctx.group, ctx.size = group, tensor.size()
        ctx.splits = input_splits, output_splits
        dist.all_to_all_single(
            output, tensor, output_split_sizes=output_splits, input_split_sizes=input_splits, group=group
        )
        return output

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        room = torch.empty(ctx.size, device=grad.device, dtype=grad.dtype)
        return None, None, None, None, _AllToAllSingle.apply(ctx.group, room, *ctx.splits, grad.contiguous())


class _AllReduce(Function):
    @staticmethod
    def forward(ctx: Any, op: Any, group: torch.distributed.ProcessGroup, tensor: Tensor) -> Any:
        ctx.op, ctx.group = op, group
        tensor = tensor.clone(memory_format=torch.contiguous_format)
        dist.all_reduce(tensor, op=op, group=group)
        return tensor

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        return None, None, _AllReduce.apply(ctx.op, ctx.group, grad)


def broadcast(tensor: Tensor, src: int | None, group: Any = None) -> Any:
    return _Broadcast.apply(src, group, tensor)


def gather(tensor: Tensor, dst: int | None = 0, group: ProcessGroup | None = None) -> Any:
    return _Gather.apply(dst, group, tensor)


def scatter(
    tensors: Sequence[Tensor], src: Tensor | int | None = 0, group: ProcessGroup | None = None
) -> Tensor | tuple[Tensor, ...] | list | Work | None:
    return _Scatter.apply(src, group, *tensors)


def reduce(tensor: Tensor, dst: int | None, op: int = ReduceOp.SUM, group: ProcessGroup | None = None) -> Any:
    return _Reduce.apply(dst, op, group, tensor)


def reduce_scatter(
    output: Tensor, input_list: list[Tensor], op: int = ReduceOp.SUM, group: ProcessGroup | None = None
) -> Work | None:
    return _ReduceScatter.apply(op, group, output, *input_list)


def all_gather(tensor: Tensor, group: torch.distributed.ProcessGroup | None = None) -> list | Work | None:
    return _AllGather.apply(group, tensor)


def _all_gather_base(output_tensor, input_tensor, group=None):
    return _AllGatherBase.apply(output_tensor, input_tensor, group)


def all_to_all(
    output_tensor_list: list[Tensor], input_tensor_list: list[Tensor], group: ProcessGroup | None = None
) -> Work | None:
    return _AllToAll.apply(group, output_tensor_list, *input_tensor_list)


def all_to_all_single(
    output: Tensor,
    input: Tensor,
    output_split_sizes: list[int] | None = None,
    input_split_sizes: list[int] | None = None,
    group: Any = None,
) -> Work | Tensor | None:
    return _AllToAllSingle.apply(group, output, output_split_sizes, input_split_sizes, input)


def all_reduce(tensor: Tensor, op: Any = ReduceOp.SUM, group: Any = None) -> Work | None:
    return _AllReduce.apply(op, group, tensor)
