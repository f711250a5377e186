"""Which placements an operator can run under, along one axis of the mesh.

A rule gives candidates `(placements of the results, placements of the inputs)`; "all replicated" always is one. The choice is
the cheapest to reach, by PyTorch's estimate of what collectives take (tensor/_collective_utils.py).
"""

from torch import _C

from . import _rules_embedding, _rules_matrix, _rules_norm, _rules_views
from ._rule_table import BEFORE, CUSTOM, P, R, RULES, rule
from ._spec import local_shape_of
from .placement_types import Partial, Replicate, Shard, _StridedShard

GIB = 1 << 30


def broadcast_dim(out_rank, rank, dim, shape, out_shape):
    """The dimension of an input that is dimension `dim` of the result, or None where it is broadcast."""
    at = dim - (out_rank - rank)
    return at if at >= 0 and shape[at] == out_shape[dim] else None


# Elementwise operators that keep sums: of one, and of two by which of both may be partial.
_LINEAR = set("neg clone positive to _to_copy real imag zeros_like empty_like".split())
_ADDITIVE = {"add", "add_", "sub", "sub_", "rsub"}
_PRODUCT = {"mul", "mul_"}
_QUOTIENT = {"div", "div_"}


def pointwise(call):
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
        if count == 2 and name == "copy_":
            yield [p], [p, p]


def transition_cost(have, want, count, gib):
    """Microseconds, by PyTorch's constants for one node."""
    if have == want:
        return 0.0
    hops = count - 1
    if isinstance(have, Shard) and want.is_replicate():
        return 6.6 + hops * 0.6 + gib * count * hops / count / 87.7 * 1e6
    if isinstance(have, Shard) and isinstance(want, Shard):
        return 6.6 + hops * 0.6 + gib * hops / count / 87.7 * 1e6 + 1.0
    if have.is_partial() and want.is_replicate():
        return 6.6 + 2 * hops * 0.6 + gib * 2 * hops / count / 87.7 * 1e6
    if have.is_partial() and isinstance(want, Shard):
        return 6.6 + hops * 0.6 + gib * hops / count / 87.7 * 1e6
    if have.is_replicate() and isinstance(want, Shard):
        return 0.0
    if have.is_replicate() and want.is_partial():
        return 0.0
    return float("inf")


def _possible(placement, shape, count):
    return not isinstance(placement, Shard) or (placement.dim < len(shape) and shape[placement.dim] >= count)


def choose(call):
    """Placements for every input and every result, one tuple each."""
    mesh, specs = call.mesh, call.specs
    function = RULES.get(call.name)
    if function is None:
        function = pointwise if _is_pointwise(call) else None
    if function is None:
        _C._js.assume("dtensor_op_replicated", _C.here(), "op", f"aten::{call.name}")
    candidates = [([R] * len(call.outputs), [R] * len(specs))]
    if function is not None:
        candidates += [(list(outs), list(ins)) for outs, ins in function(call)]
    inputs, outputs = [], []
    for axis in range(mesh.ndim):
        count = mesh.size(axis)
        best = None
        for outs, ins in candidates:
            if not all(_possible(p, s.shape, count) for p, s in zip(ins, specs)):
                continue
            cost = 0.0
            ins, outs = _strided_as_they_are(axis, specs, ins, outs)
            for want, spec in zip(ins, specs):
                have = spec.placements[axis]
                if len(specs) == 1 and have.is_partial() and isinstance(want, Shard):
                    cost = float("inf")
                    break
                gib = _bytes(spec) / GIB
                cost += transition_cost(have, want, count, gib)
            if call.inplace and (ins[0] != specs[0].placements[axis] or outs[0] != ins[0]):
                cost = float("inf")
            if cost < (best[0] if best else float("inf")):
                best = (cost, outs, ins)
        if best is None:
            raise RuntimeError(
                f"{call.name}: no sharding of its inputs fits {[spec.placements[axis] for spec in specs]} along axis {axis}"
                + (" (in-place operations cannot move their target)" if call.inplace else "")
            )
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
    """cumsum cumprod cummax cummin logcumsumexp sort argsort flip roll _fft_c2c tril triu index index_put_ index_put scatter
    scatter_ scatter_add scatter_add_ gather index_select index_add index_add_ index_copy_ index_fill_ masked_scatter nonzero
    take_along_dim repeat_interleave one_hot multinomial searchsorted bucketize histc unique randperm cholesky linalg_inv_ex
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


def localize(call, args, inputs, outputs):
    """Sizes among the arguments become those of this rank's part."""
    place = SHAPE_ARGUMENT.get(call.name)
    if place is not None and call.outputs[0] is not None:
        args[place] = local_shape_of(call.outputs[0].shape, call.mesh, outputs[0])


def norm_partial(kind):
    """The placement of a norm of which each rank has its part's."""
    return _rules_norm._NormPartial(kind)
