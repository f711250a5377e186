"""Rules of reductions, softmax and normalisations."""

from __future__ import annotations

import math

from ._rule_table import P, R, rule
from .placement_types import Partial, Shard

S = Shard


def _reduced(call):
    """The dimensions that are gone or one, of what was reduced; and whether they stay."""
    old, new = list(call.specs[0].shape), list(call.outputs[0].shape)
    dims = next((x for x in call.args[1:] if type(x) is list), None)
    if dims is None:
        only = call.args[1] if len(call.args) > 1 and type(call.args[1]) is int and new != [] else None
        dims = list(range(len(old))) if only is None else [only]
    dims = [dim % max(len(old), 1) for dim in dims] or list(range(len(old)))
    return dims, len(new) == len(old)


def _reduction(op):
    def candidates(call):
        dims, keeps = _reduced(call)
        count = len(call.outputs)
        if op is not None:
            yield [Partial(op)], [Partial(op)]
        for dim, size in enumerate(call.specs[0].shape):
            if dim in dims:
                # an average of parts of unequal sizes is not the average
                even = op != "avg" or all(size % call.mesh.size(axis) == 0 for axis in range(call.mesh.ndim))
                if op is not None and even:
                    yield [Partial(op)] * count, [S(dim)]
            else:
                yield [S(dim if keeps else dim - sum(d < dim for d in dims))] * count, [S(dim)]

    return candidates


for _op, _names in {
    "sum": ("sum", "sum_dim_IntList", "sum_to_size", "nansum", "count_nonzero"),
    "avg": ("mean", "mean_dim"),
    "max": ("amax", "max"),
    "min": ("amin", "min"),
    "product": ("prod",),
    None: (
        "any",
        "any_dim",
        "any_dims",
        "all",
        "all_dim",
        "all_dims",
        "var",
        "var_correction",
        "var_mean_correction",
        "std",
        "std_correction",
        "std_mean_correction",
        "logsumexp",
        "max_dim",
        "min_dim",
    ),
}.items():
    for _name in _names:
        rule(_name)(_reduction(_op))


@rule("median_dim", "nanmedian_dim", "mode", "kthvalue")
def _beside_reduced(call):
    """Parts of any dimension but the one along which an element is found."""
    at = 2 if call.name == "kthvalue" else 1
    rank, dim = len(call.specs[0].shape), call.args[at] if len(call.args) > at else -1
    gone, keeps = dim % max(rank, 1), len(call.outputs[0].shape) == rank
    for dim in range(rank):
        if dim != gone:
            yield [S(dim if keeps else dim - (dim > gone))] * 2, [S(dim)]


@rule("aminmax")
def _both_extremes(call):
    """In two reductions (torch/_decomp)."""
    rank, gone = len(call.specs[0].shape), call.args[1]
    for dim in range(rank):
        if gone is None or gone % rank == dim:
            yield [Partial("min"), Partial("max")], [S(dim)]
        else:
            yield [S(dim if len(call.outputs[0].shape) == rank else dim - (dim > gone % rank))] * 2, [S(dim)]


class _NormPartial(Partial):
    """A norm of each rank's part: the norm of all is their root of the sum of powers."""

    def __init__(self, norm_type: int | float = 2.0) -> None:
        super().__init__("sum" if norm_type not in (math.inf, -math.inf) else "max" if norm_type > 0 else "min")
        self.norm_type = norm_type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _NormPartial) and self.norm_type == other.norm_type

    def __hash__(self) -> int:
        return hash(("NP", self.norm_type))

    def __repr__(self) -> str:
        return f"_NormPartial({self.norm_type})"

    def _reduce_value(self, tensor, mesh, axis):
        if self.reduce_op in ("max", "min") or self.norm_type == 1:
            return super()._reduce_value(tensor, mesh, axis)
        # the powers live until the root is there
        tensor = self._power(tensor)
        powered = super()._reduce_value(tensor, mesh, axis)
        return powered**0.5 if self.norm_type == 2 else powered ** (1.0 / self.norm_type)

    def _power(self, tensor):
        return tensor**self.norm_type

    def _partition_value(self, tensor, mesh, axis):
        if self.reduce_op in ("max", "min"):
            return tensor
        return tensor / math.pow(mesh.size(axis), 1 / self.norm_type)


@rule("linalg_vector_norm", "norm", "_norm_over", "frobenius_norm")
def _norm(call):
    dims, keeps = _reduced(call)
    kind = next((x for x in call.args[1:] if type(x) in (int, float)), 2)
    kind = 2.0 if kind is None else kind
    for dim in range(len(call.specs[0].shape)):
        if dim in dims:
            yield [_NormPartial(kind)], [S(dim)]
        else:
            yield [S(dim if keeps else dim - sum(d < dim for d in dims))], [S(dim)]


def _beside(dim_at, inputs):
    """Parts of any dimension but the one along which elements meet (_shard_except_dim_strategy of _math_ops.py)."""

    def candidates(call):
        rank = len(call.specs[0].shape)
        along = call.args[dim_at] if len(call.args) > dim_at and type(call.args[dim_at]) is int else -1
        for dim in range(rank):
            if dim != along % max(rank, 1):
                yield [S(dim)] * len(call.outputs), [S(dim)] * inputs

    return candidates


for _name in ("softmax", "log_softmax", "_softmax", "_log_softmax", "_safe_softmax"):
    rule(_name)(_beside(1, 1))
for _name in ("_softmax_backward_data", "_log_softmax_backward_data"):
    rule(_name)(_beside(2, 2))
for _name in ("cumsum", "cumprod", "logcumsumexp", "cummax", "cummin", "sort"):
    rule(_name)(_beside(1, 1))
rule("topk")(_beside(2, 1))


@rule("native_layer_norm", "_fused_rms_norm")
def _normalisation(call):
    outer = len(call.specs[0].shape) - len(call.args[1])
    rest = len(call.specs) - 1
    for dim in range(outer):
        yield [S(dim)] * len(call.outputs), [S(dim)] + [R] * rest


@rule("native_layer_norm_backward", "_fused_rms_norm_backward")
def _normalisation_backward(call):
    """The weight's gradient is a sum over what was normalised."""
    outer = len(call.specs[0].shape) - len(call.args[2])
    inputs = len(call.specs)
    statistics = 2 if call.name == "native_layer_norm_backward" else 1
    for dim in range(outer):
        batch = [S(dim)] * (2 + statistics)
        yield [S(dim)] + [P] * (len(call.outputs) - 1), batch + [R] * (inputs - len(batch))
