"""Sending from one rank to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import _exchange, _host_values, _world
from ._coalescing import _coalescing_manager
from ._collectives import _not_here, _tensor
from ._world import _resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor
    from torch.distributed._nccl import ProcessGroup
    from torch.distributed._nccl import Work


def _peer(group, rank, group_rank):
    if rank is not None and group_rank is not None:
        raise ValueError("Can't specify both group and global rank")
    if group_rank is None:
        if rank is None:
            raise ValueError("Must specify src/dst or group_src/group_dst")
        group_rank = _world.get_group_rank(group, rank)
    if group_rank == group.rank():
        kind = "destination" if group_rank is not None else "source"
        raise ValueError(f"Invalid {kind} rank: {kind} rank should not be the same as the rank of the current process.")
    return group_rank


def isend(
    tensor: Tensor,
    dst: int | None = None,
    group: ProcessGroup | None = None,
    tag: int = 0,
    group_dst: int | None = None,
) -> Work | None:
    return _isend("isend", tensor, dst, group, group_dst)


def _isend(op, tensor, dst, group, group_dst):
    if _not_here(group, "isend"):
        return None
    _tensor(tensor, "tensor")
    group = _resolve(group)
    peer = _peer(group, dst, group_dst)
    _exchange.note(group, op, (tensor,), group._ranks[peer])
    work = group.point_to_point(tensor, peer)
    _host_values.sent(group, tensor, peer)
    return work


def irecv(
    tensor: Tensor,
    src: int | None = None,
    group: ProcessGroup | None = None,
    tag: int = 0,
    group_src: int | None = None,
) -> Work | None:
    return _irecv("irecv", tensor, src, group, group_src)


def _irecv(op, tensor, src, group, group_src):
    if _not_here(group, "irecv"):
        return None
    _tensor(tensor, "tensor")
    group = _resolve(group)
    peer = None if src is None and group_src is None else _peer(group, src, group_src)
    if peer is not None:
        _exchange.note(group, op, (tensor,), group._ranks[peer])
    return group.point_to_point(tensor, peer, _host_values.arrival(group, tensor, peer))


def send(
    tensor: Tensor,
    dst: int | None = None,
    group: ProcessGroup | None = None,
    tag: int = 0,
    group_dst: int | None = None,
) -> None:
    work = _isend("send", tensor, dst, group, group_dst)
    if work is not None:
        work.wait()


def recv(
    tensor: Tensor,
    src: int | None = None,
    group: ProcessGroup | None = None,
    tag: int = 0,
    group_src: int | None = None,
) -> int:
    work = _irecv("recv", tensor, src, group, group_src)
    if work is not None:
        work.wait()
    return src if src is not None else 0


class P2POp:
    """A send or receive for `batch_isend_irecv`."""

    def __init__(
        self,
        op: Callable[..., Work | None],
        tensor: Tensor,
        peer: int | None = None,
        group: ProcessGroup | None = None,
        tag: int = 0,
        group_peer: int | None = None,
    ) -> None:
        if op not in (isend, irecv):
            raise ValueError("Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or ``torch.distributed.irecv``.")  # fmt: skip
        _tensor(tensor, "tensor")
        self.op, self.tensor, self.tag = op, tensor, tag
        self.group = _resolve(group)
        self.group_peer = group_peer if group_peer is not None else _world.get_group_rank(self.group, peer)
        self.peer = self.group._ranks[self.group_peer]

    def __repr__(self) -> str:
        return f"P2POp({self.op.__name__}, peer={self.peer}, group={self.group.group_name})"


def batch_isend_irecv(p2p_op_list: list[P2POp]) -> list[Work]:
    """Several sends and receives as one Work, which keeps none of their tensors."""
    if not isinstance(p2p_op_list, list) or not all(isinstance(op, P2POp) for op in p2p_op_list):
        raise ValueError("Invalid ``p2p_op_list``. Each op is expected to to be of type ``torch.distributed.P2POp``.")
    group = p2p_op_list[0].group
    with _coalescing_manager(group, p2p_op_list[0].tensor.device, async_ops=True) as manager:
        for p2p in p2p_op_list:
            key = "group_dst" if p2p.op is isend else "group_src"
            p2p.op(p2p.tensor, group=p2p.group, tag=p2p.tag, **{key: p2p.group_peer})
    return manager.works


# --- objects


def send_object_list(
    object_list: Sequence[object],
    dst: int | None = None,
    group: ProcessGroup | None = None,
    device: torch.device | None = None,
    group_dst: int | None = None,
    use_batch: bool = False,
) -> None:
    from ._objects import _object_to_tensor

    group = _resolve(group)
    peer = _peer(group, dst, group_dst)
    device = torch.device(device) if device is not None else _world._get_pg_default_device(group)
    tensors, sizes = zip(*[_object_to_tensor(obj, device, group) for obj in object_list])
    lengths = torch.cat(sizes)
    send(lengths, group=group, group_dst=peer)
    data = tensors[0] if len(tensors) == 1 else torch.cat(tensors)
    send(data, group=group, group_dst=peer)
    _exchange.send(group, peer, list(object_list))


def recv_object_list(
    object_list: list,
    src: int | None = None,
    group: ProcessGroup | None = None,
    device: torch.device | None = None,
    group_src: int | None = None,
    use_batch: bool = False,
) -> int:
    group = _resolve(group)
    peer = None if src is None and group_src is None else _peer(group, src, group_src)
    device = torch.device(device) if device is not None else _world._get_pg_default_device(group)
    lengths = torch.empty(len(object_list), dtype=torch.long, device=device)
    recv(lengths, group=group, group_src=peer)
    came = _exchange.receive(group, peer, list(object_list))
    from ._objects import _pickled

    torch.sum(lengths)
    data = torch.empty(sum(len(_pickled(obj)) for obj in came), dtype=torch.uint8, device=device)
    recv(data, group=group, group_src=peer)
    object_list[:] = came
    return group._ranks[peer] if peer is not None else 0
