"""Rules of views, of putting together and of taking apart."""

import math

from ._rule_table import R, rule
from .placement_types import Partial, Shard, _StridedShard

S = Shard


def _keeps_partial(count):
    for op in ("sum", "avg", "max", "min"):
        yield [Partial(op)] * count, [Partial(op)]


def _groups(old, new):
    """Dimensions of both shapes that hold the same elements: pairs of lists."""
    i = j = 0
    pairs = []
    while i < len(old) or j < len(new):
        a, b = [], []
        left = right = 1
        if i < len(old):
            a.append(i)
            left = old[i]
            i += 1
        if j < len(new):
            b.append(j)
            right = new[j]
            j += 1
        while left != right:
            if left < right and i < len(old):
                a.append(i)
                left *= old[i]
                i += 1
            elif j < len(new):
                b.append(j)
                right *= new[j]
                j += 1
            else:
                break
        pairs.append((a, b))
    return pairs


@rule("view", "reshape", "_unsafe_view", "view_or_reshape", "flatten", "unflatten")
def _view(call):
    old, new = list(call.specs[0].shape), list(call.outputs[0].shape)
    yield from _keeps_partial(1)
    for a, b in _groups(old, new):
        a, b = [i for i in a if old[i] != 1], [j for j in b if new[j] != 1]
        if len(b) == 1:
            # a later one of those that become one: its pieces lie apart, and are found again when they are taken apart
            for k in range(1, len(a)):
                if _divides(call, old[a[k]]):
                    yield [_StridedShard(b[0], split_factor=math.prod(old[i] for i in a[:k]))], [S(a[k])]
        if len(a) == 1:
            for k in range(1, len(b)):
                if _divides(call, new[b[k]]):
                    yield [S(b[k])], [_StridedShard(a[0], split_factor=math.prod(new[j] for j in b[:k]))]
        if a and b:
            # the first of both is cut into the same pieces, if it is long enough
            yield [S(b[0])], [S(a[0])]


def _divides(call, size):
    return all(size % call.mesh.size(axis) == 0 for axis in range(call.mesh.ndim))


@rule("view_as_complex", "view_as_real")
def _complex(call):
    """Real and imaginary parts stay together."""
    old, new = len(call.specs[0].shape), len(call.outputs[0].shape)
    for op in ("sum", "avg"):
        yield [Partial(op)], [Partial(op)]
    for dim in range(min(old, new)):
        yield [S(dim)], [S(dim)]


@rule("transpose")
def _transpose(call):
    rank = len(call.specs[0].shape)
    x, y = call.args[1] % rank, call.args[2] % rank
    yield from _keeps_partial(1)
    for dim in range(rank):
        yield [S(y if dim == x else x if dim == y else dim)], [S(dim)]


@rule("t")
def _t(call):
    rank = len(call.specs[0].shape)
    yield from _keeps_partial(1)
    for dim in range(rank):
        yield [S(rank - 1 - dim)], [S(dim)]


@rule("permute")
def _permute(call):
    rank = len(call.specs[0].shape)
    yield from _keeps_partial(1)
    for to, dim in enumerate(call.args[1]):
        yield [S(to)], [S(dim % rank)]


@rule("unsqueeze")
def _unsqueeze(call):
    rank = len(call.specs[0].shape)
    at = call.args[1] % (rank + 1)
    yield from _keeps_partial(1)
    for dim in range(rank):
        yield [S(dim + (dim >= at))], [S(dim)]


@rule("squeeze", "squeeze_dim", "squeeze_dims")
def _squeeze(call):
    old, new = list(call.specs[0].shape), list(call.outputs[0].shape)
    yield from _keeps_partial(1)
    j = 0
    for i, size in enumerate(old):
        if j < len(new) and size == new[j] and (size != 1 or len(old) - i == len(new) - j):
            yield [S(j)], [S(i)]
            j += 1


@rule("expand", "broadcast_to")
def _expand(call):
    old, new = call.specs[0].shape, call.outputs[0].shape
    yield from _keeps_partial(1)
    for dim in range(len(old)):
        at = dim + len(new) - len(old)
        if old[dim] == new[at]:
            yield [S(at)], [S(dim)]


@rule(
    "detach",
    "alias",
    "clone",
    "contiguous",
    "_to_copy",
    "to",
    "view_dtype",
    "empty_like",
    "fill_",
    "zero_",
    "fill",
    "requires_grad_",
)
def _same(call):
    yield from _keeps_partial(1)
    for dim in range(len(call.specs[0].shape)):
        yield [S(dim)], [S(dim)]


@rule("zeros_like", "ones_like", "full_like", "rand_like", "randn_like", "randint_like")
def _like(call):
    """Values of their own: of a partial sum they are whole on every rank (create_like_single_dim_strategy)."""
    for dim in range(len(call.specs[0].shape)):
        yield [S(dim)], [S(dim)]
    for op in ("sum", "avg", "product", "max", "min"):
        yield [R], [Partial(op)]


@rule("bernoulli", "normal_", "uniform_", "trunc_normal_", "bernoulli_", "exponential_")
def _random(call):
    for dim in range(len(call.specs[0].shape)):
        yield [S(dim)], [S(dim)]


def _along(call, dim):
    """All dimensions but one, which must be whole."""
    rank = len(call.specs[0].shape)
    for other in range(rank):
        if other != dim % rank:
            yield other


@rule("select")
def _select(call):
    yield from _keeps_partial(1)
    dim = call.args[1] % len(call.specs[0].shape)
    for other in _along(call, dim):
        yield [S(other - (other > dim))], [S(other)]


@rule("slice")
def _slice(call):
    yield from _keeps_partial(1)
    whole = list(call.outputs[0].shape) == list(call.specs[0].shape)
    dim = call.args[1] if len(call.args) > 1 and call.args[1] is not None else 0
    for other in range(len(call.specs[0].shape)) if whole else _along(call, dim):
        yield [S(other)], [S(other)]


@rule("narrow")
def _narrow(call):
    yield from _keeps_partial(1)
    for other in _along(call, call.args[1]):
        yield [S(other)], [S(other)]


@rule("split_Tensor", "split_with_sizes", "chunk", "tensor_split")
def _split(call):
    count = len(call.outputs)
    yield from _keeps_partial(count)
    dim = call.args[2] if len(call.args) > 2 and call.args[2] is not None else 0
    for other in _along(call, dim):
        yield [S(other)] * count, [S(other)]


def _all_partial(call):
    """What is partial in the same way stays so when it is put together."""
    for placement in {p for spec in call.specs for p in spec.placements if p.is_partial()}:
        yield [placement], [placement] * len(call.specs)


@rule("cat")
def _cat(call):
    count = len(call.specs)
    yield from _all_partial(call)
    dim = call.args[1] if len(call.args) > 1 else 0
    for other in _along(call, dim):
        yield [S(other)], [S(other)] * count


@rule("slice_backward", "select_backward")
def _whole_backward(call):
    yield from _keeps_partial(1)
    dim = call.args[2]
    grad, out = len(call.specs[0].shape), len(call.outputs[0].shape)
    for other in range(out):
        if other != dim % out:
            yield [S(other)], [S(other - (out > grad and other > dim % out))]
