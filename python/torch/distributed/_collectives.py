"""Collectives on tensors. They move nothing and return at once; what they keep and make is the group's affair (_nccl.py)."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import torch

from . import _exchange, _host_values, _world
from ._world import _outside, _resolve

if TYPE_CHECKING:
    from typing import Any, NoReturn, Self

    from torch import Tensor
    from torch.futures import Future
    from torch.distributed._nccl import ProcessGroup
    from torch.distributed._nccl import Work


class _ReduceOpKind:
    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<RedOpType.{self.name}>"

    def __call__(self, factor: int | float) -> Self:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ReduceOpKind) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


class ReduceOp:
    """How the values of the ranks become one."""

    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR, PREMUL_SUM = map(
        _ReduceOpKind, ("SUM", "AVG", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR", "PREMUL_SUM")
    )
    RedOpType = _ReduceOpKind


reduce_op = ReduceOp


def _tensor(value, name):
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"Invalid function argument. Expected parameter `{name}` of type torch.Tensor\n             but got {type(value)} instead.")  # fmt: skip


def _tensors(value, name):
    if not isinstance(value, (list, tuple)) or not all(isinstance(t, torch.Tensor) for t in value):
        raise TypeError(f"Invalid function argument. Expected parameter `{name}` of type List[torch.Tensor]\n             but got {type(value)} instead.")  # fmt: skip


def _not_here(group, name):
    if not _outside(group):
        return False
    warnings.warn(f"Running {name} on global rank {_world.get_rank()} which does not belong to the given group.")
    return True


def _contiguous(tensor):
    if not tensor.is_contiguous():
        raise ValueError("Tensors must be contiguous")


def _finish(work, async_op):
    if async_op:
        return work
    if work is not None:
        work.wait()
    return None


def _gathered(group, op, tensor, async_op, output=None):
    """Inside a coalescing manager without a device calls are only noted."""
    calls = _world._coalescing.get(group)
    if calls is None:
        return False
    calls.append((op, tensor, output))
    return True


class _IllegalWork:
    """Work of a call inside a coalescing manager: only the manager's is real."""

    def __getattr__(self, name: str) -> NoReturn:
        raise RuntimeError(f"Illegal to call {name} on IllegalWork object")


def all_reduce(tensor: Tensor, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False) -> Work | None:
    _tensor(tensor, "tensor")
    if _not_here(group, "all_reduce"):
        return None
    group = _resolve(group)
    if _gathered(group, "allreduce", tensor, async_op):
        return _IllegalWork() if async_op else None
    _exchange.note(group, "all_reduce", (tensor,))
    work = _finish(group.allreduce([tensor], async_op), async_op)
    _host_values.reduced(group, tensor, op)
    return work


def all_reduce_coalesced(
    tensors: list[Tensor], op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False
) -> Future | list[Tensor] | None:
    if _not_here(group, "all_reduce_coalesced"):
        return None
    return _finish(_resolve(group).allreduce(list(tensors), async_op), async_op)


def broadcast(
    tensor: Tensor, src: int | None = None, group: Any = None, async_op: bool = False, group_src: int | None = None
) -> Any:
    _tensor(tensor, "tensor")
    if _not_here(group, "broadcast"):
        return None
    group = _resolve(group)
    root = _root(group, src, group_src)
    _exchange.note(group, f"broadcast from rank {group._ranks[root]}", (tensor,))
    work = _finish(group.broadcast([tensor], async_op), async_op)
    _host_values.broadcast(group, tensor, root)
    return work


def reduce(
    tensor: Tensor,
    dst: int | None = None,
    op: int = ReduceOp.SUM,
    group: ProcessGroup | None = None,
    async_op: bool = False,
    group_dst: int | None = None,
) -> Any:
    _tensor(tensor, "tensor")
    if _not_here(group, "reduce"):
        return None
    group = _resolve(group)
    root = _root(group, dst, group_dst)
    _exchange.note(group, f"reduce to rank {group._ranks[root]}", (tensor,))
    return _finish(group.reduce([tensor], async_op), async_op)


def _root(group, rank, group_rank, default=None):
    """A rank that was named by its number in the world or in the group, as one in the group."""
    if rank is not None and group_rank is not None:
        raise ValueError("Can't specify both group and global rank")
    if group_rank is not None:
        if not 0 <= group_rank < group.size():
            raise ValueError(f"Group rank {group_rank} is not part of group {group}")
        return group_rank
    if rank is None:
        if default is None:
            raise ValueError("Must specify one of src/dst and group_src/group_dst")
        return default
    return _world.get_group_rank(group, rank)


def all_gather(
    tensor_list: list[Tensor],
    tensor: Tensor,
    group: torch.distributed.ProcessGroup | None = None,
    async_op: bool = False,
) -> list | Work | None:
    _tensors(tensor_list, "tensor_list")
    _tensor(tensor, "tensor")
    if _not_here(group, "all_gather"):
        return None
    group = _resolve(group)
    _length(tensor_list, group, "tensor_list")
    _exchange.note(group, "all_gather", tensor_list)
    work = _finish(group.allgather(tensor_list, tensor, async_op), async_op)
    if all(each.shape == tensor.shape for each in tensor_list):
        _host_values.gathered(group, tensor_list, tensor)
    return work


def _length(tensors, group, name):
    if len(tensors) != group.size():
        raise ValueError(f"{name} has {len(tensors)} tensors, but the group has {group.size()} ranks")


def all_gather_single(
    output_tensor: Tensor, input_tensor: Tensor, group: Any = None, async_op: bool = False
) -> Work | Tensor | None:
    _tensor(input_tensor, "input_tensor")
    _tensor(output_tensor, "output_tensor")
    if _not_here(group, "all_gather_single"):
        return None
    group = _resolve(group)
    if output_tensor.numel() != input_tensor.numel() * group.size():
        raise ValueError("output tensor size must be equal to world_size times input tensor size")
    if _gathered(group, "allgather", input_tensor, async_op, output_tensor):
        return _IllegalWork() if async_op else None
    _exchange.note(group, "all_gather_into_tensor", (input_tensor,))
    work = _finish(group.allgather_single(output_tensor, input_tensor, async_op), async_op)
    _host_values.gathered(group, (output_tensor,), input_tensor)
    return work


def all_gather_into_tensor(
    output_tensor: Tensor, input_tensor: Tensor, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    return all_gather_single(output_tensor, input_tensor, group, async_op)


_all_gather_base = all_gather_into_tensor


def all_gather_coalesced(
    output_tensor_lists: list[list[Tensor]],
    input_tensor_list: list[Tensor],
    group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Future | None:
    group = _resolve(group)
    return _finish(group._done(input_tensor_list, [t for row in output_tensor_lists for t in row], async_op), async_op)


def reduce_scatter(
    output: Tensor,
    input_list: list[Tensor],
    op: int = ReduceOp.SUM,
    group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:
    _tensor(output, "output")
    _tensors(input_list, "input_list")
    if _not_here(group, "reduce_scatter"):
        return None
    group = _resolve(group)
    _length(input_list, group, "input_list")
    _exchange.note(group, "reduce_scatter", input_list)
    return _finish(group.reduce_scatter(output, input_list, async_op), async_op)


def reduce_scatter_single(
    output: Tensor, input: Tensor, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False
) -> Work | None:
    _tensor(output, "output")
    _tensor(input, "input")
    if _not_here(group, "reduce_scatter_single"):
        return None
    group = _resolve(group)
    if input.numel() != output.numel() * group.size():
        raise ValueError("input tensor must be the same size as output size times world size")
    if _gathered(group, "reducescatter", input, async_op, output):
        return _IllegalWork() if async_op else None
    _exchange.note(group, "reduce_scatter_tensor", (input,))
    return _finish(group.reduce_scatter_single(output, input, async_op), async_op)


def reduce_scatter_tensor(
    output: Tensor, input: Tensor, op: Any = ReduceOp.SUM, group: Any = None, async_op: bool = False
) -> Work | None:
    return reduce_scatter_single(output, input, op, group, async_op)


_reduce_scatter_base = reduce_scatter_tensor


def all_to_all_single(
    output: Tensor,
    input: Tensor,
    output_split_sizes: list[int] | None = None,
    input_split_sizes: list[int] | None = None,
    group: Any = None,
    async_op: bool = False,
) -> Work | Tensor | None:
    if _not_here(group, "all_to_all_single"):
        return None
    _tensor(output, "output")
    _tensor(input, "input")
    group = _resolve(group)
    for tensor, sizes, name in ((input, input_split_sizes, "input"), (output, output_split_sizes, "output")):
        if not sizes and tensor.shape and tensor.shape[0] % group.size():
            raise RuntimeError("Tensor's dim 0 does not divide equally across group size")
        if sizes and sum(sizes) != tensor.shape[0]:
            raise RuntimeError(f"Split sizes doesn't match total dim 0 size: {name} has {tensor.shape[0]} rows, split in {list(sizes)}")  # fmt: skip
    _exchange.note(group, "all_to_all_single")
    work = _finish(group.alltoall_single(output, input, async_op), async_op)
    if not output_split_sizes and not input_split_sizes:
        _host_values.all_to_all(group, output, input)
    return work


def all_to_all(
    output_tensor_list: list[Tensor],
    input_tensor_list: list[Tensor],
    group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:
    if _not_here(group, "all_to_all"):
        return None
    _tensors(output_tensor_list, "output_tensor_list")
    _tensors(input_tensor_list, "input_tensor_list")
    _exchange.note(_resolve(group), "all_to_all")
    return _finish(_resolve(group).alltoall(output_tensor_list, input_tensor_list, async_op), async_op)


def gather(
    tensor: Tensor,
    gather_list: list[Tensor] | None = None,
    dst: int | None = None,
    group: ProcessGroup | None = None,
    async_op: bool = False,
    group_dst: int | None = None,
) -> Any:
    _tensor(tensor, "tensor")
    if _not_here(group, "gather"):
        return None
    group = _resolve(group)
    root = _root(group, dst, group_dst, 0)
    here = root == group.rank()
    if here and not gather_list:
        raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
    if not here and gather_list:
        raise ValueError("Argument ``gather_list`` must NOT be specified on non-destination ranks.")
    _exchange.note(group, f"gather to rank {group._ranks[root]}", (tensor,))
    return _finish(group.gather(gather_list if here else [], tensor, async_op), async_op)


def scatter(
    tensor: Tensor,
    scatter_list: list[Tensor] | None = None,
    src: Tensor | int | None = None,
    group: ProcessGroup | None = None,
    async_op: bool = False,
    group_src: int | None = None,
) -> Tensor | tuple[Tensor, ...] | list | Work | None:
    _tensor(tensor, "tensor")
    if _not_here(group, "scatter"):
        return None
    group = _resolve(group)
    root = _root(group, src, group_src, 0)
    here = root == group.rank()
    if here and not scatter_list:
        raise ValueError("Argument ``scatter_list`` must be specified on source rank.")
    _exchange.note(group, f"scatter from rank {group._ranks[root]}", (tensor,))
    return _finish(group.scatter(tensor, scatter_list if here else [], async_op), async_op)


def barrier(
    group: ProcessGroup | None = None, async_op: bool = False, device_ids: list[int] | None = None
) -> Work | None:
    if _not_here(group, "barrier"):
        return None
    group = _resolve(group)
    work = _finish(group.barrier(async_op), async_op)
    _exchange.rendezvous(group)
    return work


def monitored_barrier(group: ProcessGroup | None = None, timeout: Any = None, wait_all_ranks: bool = False) -> None:
    if not _outside(group):
        _exchange.rendezvous(_resolve(group), "monitored_barrier")
