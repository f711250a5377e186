"""Rules of embeddings: rows of the table, or columns of it, may be on other ranks."""

import torch
from torch import _ranked

from ._rule_table import BEFORE, P, R, rule
from .placement_types import Shard, _MaskPartial

S = Shard


@rule("embedding")
def _embedding(call):
    rank = len(call.specs[1].shape)
    yield [S(rank)], [S(1), R]
    yield [_MaskPartial()], [S(0), R]
    for dim in range(rank):
        yield [S(dim)], [R, S(dim)]


def _mask_rows(call, args, inputs, outputs):
    """Rows that are on other ranks: the index becomes one that is here, and the result is masked when it is summed."""
    axis = next((i for i, p in enumerate(outputs[0]) if isinstance(p, _MaskPartial)), None)
    if axis is None:
        return None
    mesh, rows = call.mesh, call.specs[0].shape[0]
    size, offset = Shard.local_shard_size_and_offset(rows, mesh.size(axis), mesh.get_coordinate()[axis])
    indices = args[1]
    if not torch._C._js.values(indices._h):
        # which rows are here is a matter of values that nobody knows
        offset = _ranked.plain(offset)
    mask = (indices < offset) | (indices >= offset + size)
    masked = indices.clone() - offset
    masked[mask] = 0
    args[1] = masked
    del indices, masked
    placements = list(outputs[0])
    placements[axis] = _MaskPartial([mask])
    return lambda result, out: [tuple(placements), *out[1:]]


BEFORE["embedding"] = _mask_rows


@rule("embedding_dense_backward")
def _embedding_backward(call):
    rank = len(call.specs[1].shape)
    yield [S(1)], [S(rank), R]
    for dim in range(rank):
        yield [P], [S(dim), S(dim)]
    for have in call.specs[0].placements:
        if have.is_partial():
            yield [have], [have, R]
