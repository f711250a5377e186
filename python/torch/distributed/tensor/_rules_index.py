"""Rules of operators that address elements by index, that move them along a dimension, and of losses and poolings by batch.

Mirrors tensor/_ops/_tensor_ops.py, _math_ops.py, _random_ops.py, and _decompositions.py for those that PyTorch takes apart.
"""

from ._rule_table import BEFORE, FIXED, P, R, REFUSED, rule
from ._spec import local_shape_of
from .placement_types import Partial, Shard, _StridedShard

S = Shard
_ALL = ("sum", "avg", "max", "min")


def _others(call, dims, rank=None):
    rank = len(call.specs[0].shape) if rank is None else rank
    gone = {dim % max(rank, 1) for dim in dims}
    return [dim for dim in range(rank) if dim not in gone]


def _same_size(call, dim, specs):
    return len({spec.shape[dim] for spec in specs}) == 1


@rule("gather")
def _gather(call):
    along = call.args[1] % max(len(call.specs[0].shape), 1)
    yield [S(along)], [R, S(along)]
    if len(call.specs[0].shape) == len(call.specs[1].shape):
        for dim in _others(call, [along]):
            yield [S(dim)], [S(dim), S(dim)]


@rule("scatter_src", "scatter_src_", "scatter_value", "scatter_value_", "scatter_add", "scatter_add_")
def _scatter(call):
    specs = call.specs
    if len({len(spec.shape) for spec in specs}) == 1:
        for dim in _others(call, [call.args[1]]):
            if _same_size(call, dim, specs):
                yield [S(dim)], [S(dim)] * len(specs)


@rule("index_add", "index_add_", "index_copy", "index_copy_", "index_reduce", "index_reduce_")
def _index_with_source(call):
    for dim in _others(call, [call.args[1]]):
        yield [S(dim)], [S(dim), R, S(dim)]


@rule("index_fill", "index_fill_")
def _index_fill(call):
    for dim in _others(call, [call.args[1]]):
        yield [S(dim)], [S(dim), *[R] * (len(call.specs) - 1)]


def _indexed(call):
    """The dimensions that are indexed, the indices, and where the dimensions of these lie in the result."""
    indices = call.args[1]
    dims = [i for i, index in enumerate(indices) if index is not None]
    specs = call.specs[1 : 1 + len(dims)]
    together = dims == list(range(dims[0], dims[-1] + 1))
    return dims, specs, max(len(spec.shape) for spec in specs), dims[0] if together else 0


@rule("index")
def _index(call):
    dims, indices, rank, at = _indexed(call)
    for dim in _others(call, dims):
        to = dim if dim < at else dim + rank - sum(d < dim for d in dims)
        yield [S(to)], [S(dim), *[R] * len(dims)]
    for dim in range(rank):
        own_dims = [dim - (rank - len(spec.shape)) for spec in indices]
        cut = [S(i) if i >= 0 and spec.shape[i] > 1 else R for i, spec in zip(own_dims, indices)]
        if any(place is not R for place in cut):
            yield [S(dim + at)], [R, *cut]
    for op in ("sum", "avg"):
        yield [Partial(op)], [Partial(op), *[R] * len(dims)]


@rule("index_put", "index_put_", "_index_put_impl_")
def _index_put(call):
    dims, _, rank, at = _indexed(call)
    values = call.specs[-1].shape
    kept = _others(call, dims)
    for i, dim in enumerate(kept):
        together = dims == list(range(dims[0], dims[-1] + 1))
        to = (dim if dim < at else dim - len(dims) + rank) if together else rank + i
        to -= rank + len(kept) - len(values)
        yield [S(dim)], [S(dim), *[R] * len(dims), R if to < 0 or values[to] == 1 else S(to)]
    yield [P], [P, *[R] * len(dims), P]


@rule("index_select")
def _index_select(call):
    for dim in _others(call, [call.args[1]]):
        yield [S(dim)], [S(dim), R]
    yield [S(call.args[1] % len(call.specs[0].shape))], [R, S(0)]
    for op in _ALL:
        yield [Partial(op)], [Partial(op), R]


def _beside_moved(call, dims):
    for dim in _others(call, dims):
        yield [S(dim)], [S(dim)]
    for op in _ALL:
        yield [Partial(op)], [Partial(op)]


@rule("roll")
def _roll(call):
    return _beside_moved(call, (call.args[2] if len(call.args) > 2 else None) or range(len(call.specs[0].shape)))


@rule("flip")
def _flip(call):
    return _beside_moved(call, call.args[1])


@rule("repeat")
def _repeat(call):
    added = len(call.args[1]) - len(call.specs[0].shape)
    for dim in range(len(call.specs[0].shape)):
        if call.args[1][dim + added] == 1:
            yield [S(dim + added)], [S(dim)]


@rule("constant_pad_nd")
def _pad(call):
    rank, pads = len(call.specs[0].shape), call.args[1]
    padded = [rank - 1 - i // 2 for i, pad in enumerate(pads) if pad != 0]
    for dim in _others(call, padded):
        yield [S(dim)], [S(dim)]


@rule("glu")
def _glu(call):
    for dim in _others(call, [call.args[1] if len(call.args) > 1 else -1]):
        yield [S(dim)], [S(dim)]


@rule("bucketize")
def _bucketize(call):
    for dim in range(len(call.specs[0].shape)):
        yield [S(dim)], [S(dim), R]
    yield [P], [R, S(0)]


@rule("multinomial")
def _multinomial(call):
    if len(call.specs[0].shape) > 1:
        yield [S(0)], [S(0)]


@rule("new_zeros", "new_ones", "new_full", "new_empty", "new_empty_strided")
def _new(call):
    same = list(call.specs[0].shape) == list(call.outputs[0].shape)
    for dim in range(len(call.specs[0].shape)):
        yield [S(dim) if same else R], [S(dim)]
    for op in _ALL:
        keeps = same and call.name.startswith("new_empty")
        yield [Partial(op) if keeps else R], [Partial(op)]


@rule("_euclidean_dist", "_cdist_forward")
def _distances(call):
    rank = len(call.outputs[0].shape)
    yield [S(rank - 2)], [S(rank - 2), R]
    yield [S(rank - 1)], [R, S(rank - 2)]
    for dim in range(rank - 2):
        yield [S(dim)], [S(dim), S(dim)]


@rule(
    "mse_loss",
    "huber_loss",
    "smooth_l1_loss",
    "soft_margin_loss",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
)
def _loss(call):
    """Elementwise, then a reduction (torch/_decomp)."""
    reduction = next(x for x in call.args[2:] if type(x) is int)
    for dim, size in enumerate(call.specs[0].shape):
        if reduction == 0:
            yield [S(dim)], [S(dim)] * len(call.specs)
        elif reduction == 2 or all(size % call.mesh.size(axis) == 0 for axis in range(call.mesh.ndim)):
            yield [Partial("avg" if reduction == 1 else "sum")], [S(dim)] * len(call.specs)


def _classes(call, at):
    """For each dimension but that of classes: how the scores and the targets are cut."""
    rank = len(call.specs[at].shape)
    channel = 1 if rank > 1 else 0
    for dim in range(rank):
        if dim != channel:
            yield S(dim), S(dim - (dim > channel))


@rule("nll_loss_forward", "nll_loss2d_forward")
def _nll(call):
    reduction, rest = call.args[3], [R] * (len(call.specs) - 2)
    for scores, targets in _classes(call, 0):
        if reduction == 0:
            yield [targets, R], [scores, targets, *rest]
        elif reduction == 2:
            yield [P, P], [scores, targets, *rest]


@rule("nll_loss_backward", "nll_loss2d_backward")
def _nll_backward(call):
    reduction, weight = call.args[4], [R] * (len(call.specs) - 4)
    for scores, targets in _classes(call, 1):
        totals = [R, P] if reduction == 2 else [R]
        for total in totals:
            yield [scores], [targets if reduction == 0 else R, scores, targets, *weight, total]
    if reduction != 1:
        yield [R], [R, R, R, *weight, P]


@rule(
    "native_batch_norm",
    "_native_batch_norm_legit",
    "_native_batch_norm_legit_no_stats",
    "cudnn_batch_norm",
    "_batch_norm_with_update",
)
def _batch_norm(call):
    outs = [S(0) if meta is not None else R for meta in call.outputs[1:3]]
    yield [S(1), *outs, *[R] * (len(call.outputs) - 3)], [S(1), *[S(0)] * (len(call.specs) - 1)]


@rule("native_group_norm")
def _group_norm(call):
    yield [S(0)] * 3, [S(0), *[R] * (len(call.specs) - 1)]


def _group_norm_sizes(call, args, inputs, outputs):
    """Batch, channels and the rest are those of this rank's part (_adjust_group_norm_scalars)."""
    batch, channels, *rest = local_shape_of(call.specs[0].shape, call.mesh, inputs[0])
    size = 1
    for n in rest:
        size *= n
    args[3:6] = batch, channels, size


@rule("convolution")
def _convolution(call):
    yield [S(0)], [S(0), *[R] * (len(call.specs) - 1)]


def _stack(call):
    """All follow one another: a part along a dimension before a partial sum, this before what is whole (stack_strategy)."""
    mesh, follow = call.mesh, None
    for spec in call.specs:
        follow = list(spec.placements) if follow is None else [_merged(*pair) for pair in zip(follow, spec.placements)]
    rank = len(call.specs[0].shape)
    at = (call.args[1] if len(call.args) > 1 else 0) % (rank + 1)
    out = [_moved(p, p.dim + 1) if isinstance(p, Shard) and p.dim >= at else p for p in follow]
    assert len(out) == mesh.ndim
    return [tuple(follow)] * len(call.specs), [tuple(out)]


def _merged(have, new):
    if have == new:
        return have
    if have.is_partial():
        return new if isinstance(new, Shard) else R if new.is_partial() else have
    if isinstance(have, Shard):
        return R if isinstance(new, Shard) else have
    return new


def _unbind(call):
    """The dimension must be whole: it is not gathered for it (gen_unbind_strategy)."""
    dim = (call.args[1] if len(call.args) > 1 else 0) % len(call.specs[0].shape)
    have = call.specs[0].placements
    if any(isinstance(p, Shard) and p.dim == dim for p in have):
        raise RuntimeError(
            f"Attempted to unbind along the sharded dimension {dim}. ",
            "It cannot be performed without redistribution, which is disallowed by the current operator.",
        )
    out = tuple(_moved(p, p.dim - 1) if isinstance(p, Shard) and p.dim > dim else p for p in have)
    return [have], [out] * len(call.outputs)


def _moved(placement, dim):
    if isinstance(placement, _StridedShard):
        return _StridedShard(dim, split_factor=placement.split_factor)
    return S(dim)


FIXED["stack"], FIXED["unbind"] = _stack, _unbind
REFUSED.update(_unique2="_unique2.default", nonzero="nonzero.default", unfold="unfold.default")
BEFORE["native_group_norm"] = _group_norm_sizes
