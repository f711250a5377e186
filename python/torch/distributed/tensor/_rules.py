"""Which placements an operator can run under, along one axis of the mesh.

A rule gives candidates `(placements of the results, placements of the inputs)`; "all replicated" always is one. The choice is
the cheapest to reach, by PyTorch's estimate of what collectives take (tensor/_collective_utils.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import _C

from . import _rules_embedding, _rules_index, _rules_matrix, _rules_norm, _rules_views
from ._placement_search import links, search, transition_cost
from ._rule_table import BEFORE, CUSTOM, FIXED, P, R, REFUSED, RULES
from ._spec import local_shape_of
from .placement_types import Partial, Replicate, Shard, _StridedShard

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from torch.distributions.constraints import Constraint


GIB = 1 << 30


def broadcast_dim(out_rank: Any, rank: int, dim: int, shape: Sequence[int], out_shape: Any) -> Constraint:
    """The dimension of an input that is dimension `dim` of the result, or None where it is broadcast."""
    at = dim - (out_rank - rank)
    return at if at >= 0 and shape[at] == out_shape[dim] else None


# Elementwise operators that keep sums: of one, and of two by which of both may be partial.
_LINEAR = set("neg clone positive to _to_copy real imag zeros_like empty_like".split())
_ADDITIVE = {"add", "add_", "sub", "sub_", "rsub"}
_PRODUCT = {"mul", "mul_"}
_QUOTIENT = {"div", "div_"}
# The largest (smallest) of what they make is what they make of the largest (smallest): non_decreasing_unary_ops of _pointwise_ops.py.
_NON_DECREASING = set(
    """asinh atan ceil deg2rad erf exp exp2 expm1 floor rad2deg relu round sgn sigmoid sign sinh tanh trunc nan_to_num hardshrink
    threshold""".split()
)
_EXTREMES = {"maximum": "max", "fmax": "max", "minimum": "min", "fmin": "min"}


def pointwise(call: Any) -> Iterator:
    out = call.outputs[0]
    rank, count = len(out.shape), len(call.specs)
    shapes = [spec.shape for spec in call.specs]
    for dim in range(rank):
        inputs = []
        for shape in shapes:
            at = broadcast_dim(rank, len(shape), dim, shape, out.shape)
            inputs.append(R if at is None else Shard(at))
        yield [Shard(dim)] * len(call.outputs), inputs
    name = call.name
    for op in ("sum", "avg"):
        p = Partial(op)
        if count == 1 and (name in _LINEAR or name in _PRODUCT or name in _QUOTIENT):
            yield [p], [p]
        if count == 2 and name in _ADDITIVE:
            yield [p], [p, p]
        if count == 2 and name in _PRODUCT:
            yield [p], [p, R]
            yield [p], [R, p]
        if count == 2 and name in _QUOTIENT:
            yield [p], [p, R]
    for op in ("sum", "avg", "max", "min"):
        if count == 2 and name == "copy_":
            yield [Partial(op)], [Partial(op)] * 2
        if count == 2 and name in _ADDITIVE and op != "sum":
            yield [Partial(op)], [Partial(op), R]
        if op in ("max", "min") and (name in _NON_DECREASING or name in _EXTREMES):
            yield [Partial(op)], [Partial(op)] if count == 1 else [Partial(op), R]
            if count == 2:
                yield [Partial(op)], [R, Partial(op)]
        if count == 2 and _EXTREMES.get(name) == op:
            yield [Partial(op)], [Partial(op)] * 2
    if count == 2 and name in _ADDITIVE:
        yield [Partial("avg")], [R, Partial("avg")]


def _possible(placement, shape, count):
    return not isinstance(placement, Shard) or (placement.dim < len(shape) and shape[placement.dim] >= count)


def choose(call: Any) -> Any:
    """Placements for every input and every result, one tuple each."""
    specs = call.specs
    if call.name in FIXED:
        return FIXED[call.name](call)
    if call.name in REFUSED:
        raise NotImplementedError(f"Operator aten.{REFUSED[call.name]} does not have a sharding strategy registered.")
    function = RULES.get(call.name)
    if function is None:
        function = pointwise if _is_pointwise(call) else None
    if function is None:
        _C._js.assume("dtensor_op_replicated", _C.here(), "op", f"aten::{call.name}")
    candidates = [([R] * len(call.outputs), [R] * len(specs))]
    if function is not None:
        candidates += [(list(outs), list(ins)) for outs, ins in function(call)]
    strided = any(isinstance(p, _StridedShard) for spec in specs for p in spec.placements)
    found = _along_each_axis(call, candidates) if strided else _over_all_axes(call, candidates)
    if found is None:
        raise RuntimeError(
            f"{call.name}: no sharding of its inputs fits {[spec.placements for spec in specs]}"
            + (" (in-place operations cannot move their target)" if call.inplace else "")
        )
    return found


def _over_all_axes(call, candidates):
    mesh, specs = call.mesh, call.specs
    # parts are candidates only where an input is a part (tensor/_ops/single_dim_strategy.py, _fill_single_dim_strategy_placeholders)
    if not any(isinstance(p, Shard) for spec in specs for p in spec.placements):
        candidates = [c for c in candidates if not any(isinstance(p, Shard) for p in c[1])]
    start = tuple(tuple(spec.placements) for spec in specs)

    def allowed(state, rules):
        if call.inplace and (state[0] != start[0] or any(outs[0] != ins[0] for outs, ins in rules)):
            return False
        return all(
            _possible(p, spec.shape, mesh.size(axis))
            for placements, was, spec in zip(state, start, specs)
            for axis, p in enumerate(placements)
            if p != was[axis]
        )

    found = search(mesh, specs, tuple(_bytes(spec) / GIB for spec in specs), candidates, allowed)
    return found and (list(found[0]), list(zip(*(outs for outs, _ in found[1]))))


def _along_each_axis(call, candidates):
    """Each axis by itself, as PyTorch falls back to full expansion where a part is strided."""
    mesh, specs = call.mesh, call.specs
    inputs, outputs, axes = [], [], links(mesh)
    for axis in range(mesh.ndim):
        count = mesh.size(axis)
        best = None
        for outs, ins in candidates:
            if not all(_possible(p, s.shape, count) for p, s in zip(ins, specs)):
                continue
            ins, outs = _strided_as_they_are(axis, specs, ins, outs)
            changes = zip(ins, specs)
            cost = sum(transition_cost(s.placements[axis], p, axes[axis], _bytes(s) / GIB)[0] for p, s in changes)
            if call.inplace and (ins[0] != specs[0].placements[axis] or outs[0] != ins[0]):
                cost = float("inf")
            if cost < (best[0] if best else float("inf")):
                best = (cost, outs, ins)
        if best is None:
            return None
        outputs.append(best[1])
        inputs.append(best[2])
    return list(zip(*inputs)), list(zip(*outputs))


def _strided_as_they_are(axis, specs, inputs, outputs):
    """Where a part is wanted and a strided part of the same dimension is there, that one is taken."""
    factor = None
    taken = []
    for want, spec in zip(inputs, specs):
        have = spec.placements[axis]
        if type(want) is Shard and isinstance(have, _StridedShard) and have.dim == want.dim:
            want, factor = have, have.split_factor
        taken.append(want)
    if factor is None:
        return inputs, outputs
    return taken, [_StridedShard(p.dim, split_factor=factor) if type(p) is Shard else p for p in outputs]


def _bytes(spec):
    size = spec.tensor_meta.dtype.itemsize
    for n in spec.shape:
        size *= n
    return size / spec.num_shards


_NOT_POINTWISE = set(
    """cumsum cumprod cummax cummin logcumsumexp sort argsort _fft_c2c tril triu masked_scatter nonzero take_along_dim repeat_interleave one_hot multinomial searchsorted bucketize histc unique randperm cholesky linalg_inv_ex
    matrix_exp diag_embed diagonal as_strided unfold""".split()
)


def _is_pointwise(call):
    """Results of the shape to which the inputs broadcast, and no operator that mixes elements."""
    if call.name in _NOT_POINTWISE or call.name in RULES or not call.specs:
        return False
    rank = max(len(spec.shape) for spec in call.specs)
    shape = []
    for at in range(rank):
        size = 1
        for spec in call.specs:
            i = at - (rank - len(spec.shape))
            if i >= 0 and spec.shape[i] != 1:
                size = spec.shape[i]
        shape.append(size)
    return all(meta is not None and list(meta.shape) == shape for meta in call.outputs)


# Which argument is the shape of the result.
SHAPE_ARGUMENT = {
    "view": 1, "reshape": 1, "expand": 1, "_unsafe_view": 1, "view_or_reshape": 1, "new_zeros": 1, "new_empty": 1, "new_ones": 1,
    "new_full": 1, "slice_backward": 1, "select_backward": 1, "broadcast_to": 1,
}  # fmt: skip


def localize(call: Any, args: Any, inputs: Any, outputs: Any) -> None:
    """Sizes among the arguments become those of this rank's part."""
    place = SHAPE_ARGUMENT.get(call.name)
    if place is not None and call.outputs[0] is not None:
        args[place] = local_shape_of(call.outputs[0].shape, call.mesh, outputs[0])


def norm_partial(kind: Any) -> Any:
    """The placement of a norm of which each rank has its part's."""
    return _rules_norm._NormPartial(kind)
