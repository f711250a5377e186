"""Placements: how a tensor lies on the ranks along one axis of a mesh, and how local tensors change from one to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import _ranked

from .. import _functional_collectives as funcol
from .._collectives import broadcast, scatter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor


class Placement:
    """How a tensor lies along one axis of the mesh."""

    def is_shard(self, dim: int | None = None) -> bool:
        return type(self) is Shard and (dim is None or self.dim == dim)

    def is_replicate(self) -> bool:
        return isinstance(self, Replicate)

    def is_partial(self, reduce_op: str | None = None) -> bool:
        return isinstance(self, Partial) and (reduce_op is None or self.reduce_op == reduce_op)


def _pad(tensor, dim, size):
    if size == 0:
        return tensor
    pad = [0, 0] * (tensor.ndim - dim)
    pad[-1] = size
    return torch.nn.functional.pad(tensor, pad)


def _unpad(tensor, dim, size):
    return tensor if size == 0 else tensor.narrow(dim, 0, tensor.size(dim) - size)


def _chunks(tensor, count, dim):
    """As many chunks as there are ranks; the last ones may be empty."""
    pieces = list(torch.chunk(tensor, count, dim=dim))
    missing = count - len(pieces)
    if missing:
        shape = list(pieces[0].shape)
        shape[dim] = 0
        empty = pieces[0].new_zeros(shape)
        pieces.extend(empty for _ in range(missing))
    return pieces


def _own(shards, rank):
    return _ranked.choose(shards, rank, lambda shard: shard.shape)


class Shard(Placement):
    """Each rank has a part along a dimension; when it does not divide, later ranks have less."""

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.dim == other.dim

    def __hash__(self) -> int:
        return hash(("S", self.dim))

    def __repr__(self) -> str:
        return f"Shard(dim={self.dim})"

    def __str__(self) -> str:
        return f"S({self.dim})"

    @staticmethod
    def local_shard_size_and_offset(size: int | Sequence[int], count: int, rank: int) -> tuple:
        if size % count == 0:
            each = size // count
            return each, each * rank
        each = -(-size // count)
        start = each * rank
        return max(0, min(size, start + each) - start), min(size, start)

    def _local_shard_size_and_offset(self, size, count, rank):
        return Shard.local_shard_size_and_offset(size, count, rank)

    def _split_tensor(self, tensor, num_chunks, *, with_padding=True, contiguous=True):
        full = -(-tensor.size(self.dim) // num_chunks)
        shards, pads = [], []
        for shard in _chunks(tensor, num_chunks, self.dim):
            if with_padding:
                pads.append(full - shard.size(self.dim))
                shard = _pad(shard, self.dim, pads[-1])
            shards.append(shard.contiguous() if contiguous else shard)
        return shards, pads

    def _shard_tensor(self, tensor, mesh, axis, src_data_rank=0):
        """This rank's part of a tensor that the first rank of the axis gives out."""
        rank, count = mesh.get_coordinate()[axis], mesh.size(axis)
        if src_data_rank is None:
            shards, _ = self._split_tensor(tensor, count, with_padding=False, contiguous=False)
            return _own(shards, rank).clone()
        shards, pads = self._split_tensor(tensor, count)
        output = torch.empty_like(shards[0])
        if not output.is_meta:
            scatter(
                output, shards if rank == src_data_rank else None, group=mesh.get_group(axis), group_src=src_data_rank
            )
        if (pad := _ranked.each(pads.__getitem__, rank)) > 0:
            output = _unpad(output, self.dim, pad).contiguous()
        return output

    def _to_replicate_tensor(self, local, mesh, axis, logical_shape):
        count, size = mesh.size(axis), logical_shape[self.dim]
        if size % count:
            local = _pad(local, self.dim, -(-size // count) - local.size(self.dim))
        if not local.is_contiguous():
            local = local.contiguous()
        result = funcol.all_gather_single(local, self.dim, (mesh, axis))
        if size % count:
            result = _unpad(result, self.dim, -(-size // count) * count - size)
        return result.contiguous()

    def _replicate_to_shard(self, local, mesh, axis, rank):
        shards, _ = self._split_tensor(local, mesh.size(axis), with_padding=False, contiguous=False)
        return _own(shards, rank).clone()

    def _reduce_shard_tensor(self, tensor, mesh, op, axis):
        count, rank = mesh.size(axis), mesh.get_coordinate()[axis]
        pads = None
        if tensor.size(self.dim) % count:
            pieces, pads = self._split_tensor(tensor, count)
            tensor = torch.cat(pieces, dim=self.dim)
        elif not tensor.is_contiguous():
            tensor = tensor.contiguous()
        output = funcol.reduce_scatter_single(tensor, op, self.dim, (mesh, axis))
        return output if pads is None else _unpad(output, self.dim, _ranked.each(pads.__getitem__, rank))

    def _to_new_shard_dim(self, local, mesh, axis, logical_shape, new_dim):
        count, rank = mesh.size(axis), mesh.get_coordinate()[axis]
        old, new = logical_shape[self.dim], logical_shape[new_dim]
        if old % count:
            local = _pad(local, self.dim, -(-old // count) - local.size(self.dim))
        if new % count:
            local = _pad(local, new_dim, -(-new // count) * count - local.size(new_dim))
        if not local.is_contiguous():
            local = local.contiguous()
        local = _alltoall(local, self.dim, new_dim, mesh, axis)
        if old % count:
            local = _unpad(local, self.dim, -(-old // count) * count - old)
        if new % count:
            local = _unpad(local, new_dim, -(-new // count) - Shard.local_shard_size_and_offset(new, count, rank)[0])
        return local


def _alltoall(local, old_dim, new_dim, mesh, axis):
    """Parts along one dimension become parts along another (shard_dim_alltoall in C++)."""
    group, count = mesh.get_group(axis), mesh.size(axis)
    sizes = list(local.shape)
    sizes[new_dim] //= count
    moved = torch.cat(torch.chunk(local, count, dim=new_dim), dim=0) if new_dim else local
    shape = list(moved.shape)
    output = torch.empty(shape, dtype=local.dtype, device=local.device)
    group.alltoall_single(output, moved)
    return torch.cat(torch.chunk(output, count, dim=0), dim=old_dim) if old_dim else output


class _StridedShard(Shard):
    """A part of a dimension that another axis, further right, cut before."""

    def __init__(self, dim: int, *, split_factor: int) -> None:
        super().__init__(dim)
        self.split_factor = split_factor

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _StridedShard):
            return self.dim == other.dim and self.split_factor == other.split_factor
        return False

    def __hash__(self) -> int:
        return hash(("SS", self.dim, self.split_factor))

    def __repr__(self) -> str:
        return f"_StridedShard(dim={self.dim}, sf={self.split_factor})"

    def _to_replicate_tensor(self, local, mesh, axis, logical_shape):
        result = super()._to_replicate_tensor(local, mesh, axis, logical_shape)
        # the parts come in another order than they are to be in
        order = torch.arange(result.size(self.dim), device=result.device)
        return torch.index_select(result, self.dim, order)


class Replicate(Placement):
    """Each rank has all of it."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Replicate)

    def __hash__(self) -> int:
        return hash("R")

    def __repr__(self) -> str:
        return "Replicate()"

    def __str__(self) -> str:
        return "R"

    def _replicate_tensor(self, tensor, mesh, axis, src_data_rank=0):
        tensor = tensor.contiguous()
        if src_data_rank is not None and not tensor.is_meta:
            broadcast(tensor, group=mesh.get_group(axis), group_src=src_data_rank)
        return tensor


class Partial(Placement):
    """Each rank has a summand (or another share) of every element."""

    def __init__(self, reduce_op: str | None = "sum") -> None:
        self.reduce_op = reduce_op

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.reduce_op == other.reduce_op

    def __hash__(self) -> int:
        return hash(("P", self.reduce_op))

    def __repr__(self) -> str:
        return f"Partial({self.reduce_op})"

    def __str__(self) -> str:
        return f"P({self.reduce_op})"

    def _reduce_value(self, tensor, mesh, axis):
        return funcol.all_reduce(tensor, self.reduce_op, (mesh, axis))

    def _reduce_shard_value(self, tensor, mesh, axis, shard):
        return shard._reduce_shard_tensor(tensor, mesh, self.reduce_op, axis)

    def _partition_value(self, tensor, mesh, axis):
        if self.reduce_op in ("avg", "max", "min"):
            return tensor
        return tensor / mesh.size(axis)


class _MaskPartial(Partial):
    """The partial result of an embedding whose rows are sharded: rows that are not here were masked."""

    def __init__(self, mask: Tensor | None = None, reduce_op: str = "sum") -> None:
        super().__init__(reduce_op)
        self.mask = mask if mask is not None else [None]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _MaskPartial)

    def __hash__(self) -> int:
        return hash("MP")

    def __repr__(self) -> str:
        return "MaskPartial(sum)"

    def _reduce_value(self, tensor, mesh, axis):
        return super()._reduce_value(_zeroed(tensor, self), mesh, axis)

    def _reduce_shard_value(self, tensor, mesh, axis, shard):
        return super()._reduce_shard_value(_zeroed(tensor, self), mesh, axis, shard)


def _zeroed(tensor, partial):
    """The masked rows as zeros, in place; the mask is not needed again."""
    mask, partial.mask[0] = partial.mask[0], None
    if mask is not None:
        if tensor.ndim > mask.ndim:
            tensor[mask, :] = 0.0
        else:
            tensor[mask] = 0.0
    return tensor
