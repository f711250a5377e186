"""context_parallel(): buffers become a rank's part of a sequence, attention goes round (torch/distributed/tensor/experimental/_context_parallel/_attention.py)."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import _C
from torch._release import rules

from ... import _functional_collectives as funcol
from .. import _dispatch
from .._api import distribute_tensor
from .._dtensor import DTensor
from .._spec import DTensorSpec, TensorMeta
from ..placement_types import Replicate, Shard
from . import _ring

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from torch import Tensor
    from torch.distributed.device_mesh import DeviceMesh


# positions of arguments: is_causal of a forward; of a backward also where grad_out, q, k, v, out and the log-sum-exp are
_FORWARD = {"_scaled_dot_product_flash_attention": 4, "_scaled_dot_product_efficient_attention": 6}
_BACKWARD = {
    "_scaled_dot_product_flash_attention_backward": ((0, 1, 2, 3, 4, 5), 7),
    "_scaled_dot_product_efficient_attention_backward": ((0, 1, 2, 3, 5, 6), 11),
}


def set_rotate_method(rotate_method: str) -> None:
    methods = {"allgather": _ring._RotateMethod.ALL_GATHER, "alltoall": _ring._RotateMethod.ALL_TO_ALL}
    if rotate_method not in methods:
        raise NotImplementedError(f"Context Parallel does not support using {rotate_method} for kv shards rotation")
    _ring._cp_options.rotate_method = methods[rotate_method]


def _locals(args):
    return [x._local_tensor if isinstance(x, DTensor) else x for x in args]


def _wrapped(results, like, shapes):
    """Local results over the mesh: those with a sequence are shared along it, others are the same everywhere."""
    made = []
    for local, shape in zip(results, shapes):
        if not isinstance(local, torch.Tensor):
            made.append(local)
            continue
        placements = (Shard(_ring.SEQUENCE),) if shape is not None else (Replicate(),)
        size = torch.Size(shape if shape is not None else local.shape)
        meta = TensorMeta(size, torch.empty(size, device="meta").stride(), local.dtype)
        made.append(DTensor(local, DTensorSpec(like._spec.mesh, placements, meta)))
    return tuple(made)


def _run_forward(name, args):
    at, query = _FORWARD[name], args[0]
    local = _locals(args)

    def op(q, k, v, is_causal):
        arguments = [q, k, v, *local[3:]]
        arguments[at] = is_causal
        if name.endswith("efficient_attention"):
            arguments[4] = True  # merging needs the log-sum-exp
        return getattr(_C.ops, name)(*arguments)

    results = _ring.forward(query._spec.mesh.get_group(), op, *local[:3], args[at])
    shape = tuple(query.shape)
    rest = [None] * (len(results) - 2)
    return _wrapped(results, query, [(*shape[:3], args[2].shape[3]), shape[:3], *rest])


def _run_backward(name, args):
    positions, at = _BACKWARD[name]
    local = _locals(args)

    def op(*arguments):
        *tensors, is_causal = arguments
        own = list(local)
        for place, tensor in zip(positions, tensors):
            own[place] = tensor
        own[at] = is_causal
        return getattr(_C.ops, name)(*own)

    query, key, value = (args[positions[i]] for i in (1, 2, 3))
    tensors = [local[place] for place in positions]
    results = _ring.backward(query._spec.mesh.get_group(), op, *tensors, args[at])
    shapes = [tuple(t.shape) for t in (query, key, value)]
    return _wrapped(results, query, [*shapes, *[None] * (len(results) - 3)])


_HANDLERS = {
    **{name: lambda _, args, name=name: _run_forward(name, args) for name in _FORWARD},
    **{name: lambda _, args, name=name: _run_backward(name, args) for name in _BACKWARD},
}


@contextlib.contextmanager
def _ring_attention(mesh):
    """Inside, scaled_dot_product_attention takes a rank's part of a sequence."""
    if not rules.context_parallel_replaces_attention:
        yield
        return
    plain, placements = F.scaled_dot_product_attention, [Shard(_ring.SEQUENCE)]

    def over_ranks(x):
        if isinstance(x, torch.Tensor) and not isinstance(x, DTensor):
            return DTensor.from_local(x, mesh, placements, run_check=False)
        return x

    def scaled_dot_product_attention(*args, **kwargs):
        args = tuple(over_ranks(x) for x in args)
        kwargs = {name: over_ranks(x) for name, x in kwargs.items()}
        output = plain(*args, **kwargs)
        return output.to_local() if isinstance(output, DTensor) else output

    F.scaled_dot_product_attention = scaled_dot_product_attention
    _dispatch._rules.CUSTOM.update(_HANDLERS)
    try:
        yield
    finally:
        F.scaled_dot_product_attention = plain
        for name in _HANDLERS:
            _dispatch._rules.CUSTOM.pop(name, None)


def _balanced_order(length, ranks, device, restore=False):
    """Each rank gets one piece from the head and one from the tail, so that a causal mask costs all alike."""
    indices = torch.arange(length, dtype=torch.int, device=device)
    pieces = indices.view(ranks * 2, length // (ranks * 2))
    heads = torch.arange(ranks, device=device)
    tails = 2 * ranks - 1 - heads
    order = torch.stack([pieces[heads], pieces[tails]], dim=1).reshape(-1)
    if restore:
        order = torch.argsort(order)
    return order.unsqueeze(0)


def _balances(length, ranks):
    return _ring._cp_options.enable_load_balance and length % (ranks * 2) == 0


def _selected(buffer, dim, order, row):
    return torch.index_select(buffer, dim=dim, index=order[0])


def _row_by_row(buffer, dim, order, row):
    """`row` is a name of the caller in PyTorch: the last row lives until the next one is there."""
    for i in range(buffer.size(0)):
        row[0] = torch.index_select(buffer[i], dim=dim - 1, index=order[0])
        buffer[i] = row[0]
    return buffer


def _gathered(buffer, dim, order, row):
    index = order.expand(buffer.size(0), order.size(1))
    for i in range(1, dim):
        index = index.unsqueeze(i)
    for _ in range(dim + 1, buffer.ndim):
        index = index.unsqueeze(-1)
    return torch.gather(buffer, dim=dim, index=index.expand(buffer.shape))


_ORDERED = {"select": _selected, "rows": _row_by_row, "gather": _gathered}


def _joins_chunks():
    return rules.context_parallel_order == "chunks"


def _own_chunks(mesh, buffer, dim):
    """A rank's piece from the head and its piece from the tail, joined."""
    ranks, rank = mesh.size(), mesh.get_local_rank()
    pieces = buffer.chunk(2 * ranks, dim=dim)
    return torch.cat((pieces[rank], pieces[2 * ranks - 1 - rank]), dim=dim)


def _shards(mesh, buffers, dims, balances):
    if balances and _joins_chunks():
        return [_own_chunks(mesh, buffer, dim) for buffer, dim in zip(buffers, dims)]
    length = buffers[0].shape[dims[0]]
    order = _balanced_order(length, mesh.size(), buffers[0].device) if balances else None
    made, row = [], [None]
    for buffer, dim in zip(buffers, dims):
        if order is not None and dim == 0:
            buffer = torch.index_select(buffer, dim=0, index=order[0])
        elif order is not None:
            buffer = _ORDERED[rules.context_parallel_order](buffer, dim, order, row)
        made.append(distribute_tensor(buffer, mesh, [Shard(dim)], src_data_rank=None).to_local())
    return made


@contextlib.contextmanager
@torch.no_grad()
def context_parallel(
    mesh: DeviceMesh,
    *,
    buffers: list[Tensor] | None = None,
    buffer_seq_dims: list[int] | None = None,
    no_restore_buffers: set[Tensor] | None = None,
) -> Iterator[None]:
    buffers, dims = buffers or [], buffer_seq_dims or []
    kept = no_restore_buffers or set()
    if len(buffers) != len(dims):
        raise ValueError("`seq_dims` must have the same number of elements as `buffers`.")
    if not all(any(b is buffer for b in buffers) for buffer in kept):
        raise ValueError("`no_restore_buffers` must be a subset of `buffers`.")
    originals = [None if b in kept else b.clone() for b in buffers]
    length = buffers[0].shape[dims[0]]
    before = _ring._cp_options.enable_load_balance
    balances = _balances(length, mesh.size())
    _ring._cp_options.enable_load_balance = balances
    shards = _shards(mesh, buffers, dims, balances)
    for buffer, shard in zip(buffers, shards):
        shard = shard.clone()
        buffer.resize_(shard.shape)
        buffer.copy_(shard)
    try:
        with _ring_attention(mesh):
            yield
    finally:
        _ring._cp_options.enable_load_balance = before
        for buffer, original in zip(buffers, originals, strict=True):
            if original is not None:
                buffer.resize_(original.shape)
                buffer.copy_(original)


def _joined_again(mesh, buffer, dim):
    ranks = mesh.size()
    wholes = [torch.empty_like(buffer) for _ in range(ranks)]
    torch.distributed.all_gather(wholes, buffer, group=mesh.get_group())
    pieces = [piece for whole in wholes for piece in whole.chunk(2, dim=dim)]
    return torch.cat([*pieces[::2], *pieces[1::2][::-1]], dim=dim)


@torch.no_grad()
def context_parallel_unshard(
    mesh: DeviceMesh, buffers: list[Tensor], seq_dims: list[int], load_balancer: Any = None
) -> list[Tensor]:
    if load_balancer is not None:
        raise NotImplementedError("vramscope does not simulate load balancers of a program's own")
    length = buffers[0].shape[seq_dims[0]] * mesh.size()
    balances, order = _balances(length, mesh.size()), None
    if balances and not _joins_chunks():
        order = _balanced_order(length, mesh.size(), buffers[0].device, restore=True)
    made, row = [], [None]
    for buffer, dim in zip(buffers, seq_dims):
        buffer = buffer.contiguous()
        if balances and _joins_chunks():
            made.append(_joined_again(mesh, buffer, dim))
            continue
        whole = _ring._waited(funcol.all_gather_single(buffer, dim, mesh.get_group()))
        if order is not None:
            ordered = _selected if rules.context_parallel_order == "select" else _row_by_row
            whole = ordered(whole, dim, order, row)
        made.append(whole)
    return made
