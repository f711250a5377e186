"""Where the largest or smallest element of a distributed tensor lies: each rank's own, then the best of all ranks (_nonlinear_redux.py)."""

import torch

from .. import _functional_collectives as funcol
from ._dtensor import DTensor
from ._rule_table import CUSTOM
from ._spec import DTensorSpec, TensorMeta, global_offset_of
from .placement_types import Replicate, Shard, _StridedShard


def _place_of_extreme(name, args):
    tensor, dim, keepdim = (*args, *(None, False)[len(args) - 1 :])
    if not isinstance(tensor, DTensor):
        return NotImplemented
    spec = tensor._spec
    mesh, shape = spec.mesh, spec.shape
    if any(p.is_partial() for p in spec.placements):
        tensor = tensor.redistribute(placements=[Replicate() if p.is_partial() else p for p in spec.placements])
    placements = tensor._spec.placements
    local = tensor.to_local()
    rank = len(shape)
    at = None if dim is None else dim % max(rank, 1)
    along = [i for i, p in enumerate(placements) if isinstance(p, Shard) and at in (None, p.dim)]
    if any(isinstance(p, _StridedShard) for p in placements):
        raise NotImplementedError(f"aten.{name}.default does not support _StridedShard!")
    wanted = [1] * rank if keepdim else []
    if at is not None and rank:
        wanted = list(local.shape)
        wanted[at : at + 1] = [1] if keepdim else []
    extreme, position = (torch.max, torch.argmax) if name == "argmax" else (torch.min, torch.argmin)
    if dim is None:
        best = extreme(local).unsqueeze(0)
        index = position(local).unsqueeze(0)
    else:
        best, index = extreme(local, dim=dim, keepdim=True)
    if not along:
        return (_wrapped(index.reshape(wanted), spec, placements, shape, at, keepdim),)
    # the indices of this rank live until the end, as in argminmax_handler
    own = found = _of_all(index, local, shape, mesh, placements, at)
    gathered = best
    for axis in along:
        gathered = funcol.all_gather_single(gathered, gather_dim=at or 0, group=(mesh, axis))
        found = funcol.all_gather_single(found, gather_dim=at or 0, group=(mesh, axis))
    winner = position(gathered, at or 0, True)
    last = torch.gather(found, dim=at or 0, index=winner)
    del own
    return (_wrapped(last.reshape(wanted), spec, placements, shape, at, keepdim),)


def _of_all(index, local, shape, mesh, placements, at):
    """The index among the elements of all ranks."""
    offset = global_offset_of(shape, mesh, placements)
    if at is not None:
        return index + offset[at]
    found, remaining = torch.zeros_like(index), index
    for i in range(len(shape)):
        stride, whole = _product(local.shape[i + 1 :]), _product(shape[i + 1 :])
        coordinate = remaining // stride
        remaining = remaining % stride
        found = found + (coordinate + offset[i]) * whole
    return found


def _product(sizes):
    total = 1
    for size in sizes:
        total *= size
    return total


def _wrapped(local, spec, placements, shape, at, keepdim):
    rank = len(shape)
    gone = range(rank) if at is None else [at]
    out, sizes = [], [1 if i in gone else n for i, n in enumerate(shape) if keepdim or i not in gone]
    for p in placements:
        whole = not isinstance(p, Shard) or p.dim in gone
        out.append(Replicate() if whole else Shard(p.dim if keepdim else p.dim - sum(d < p.dim for d in gone)))
    strides, step = [], 1
    for n in reversed(sizes):
        strides.insert(0, step)
        step *= max(n, 1)
    return DTensor(local, DTensorSpec(spec.mesh, tuple(out), TensorMeta(tuple(sizes), tuple(strides), local.dtype)))


CUSTOM["argmax"] = CUSTOM["argmin"] = _place_of_extreme
