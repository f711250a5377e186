"""Rules of matrix products and attention."""

from ._rule_table import P, R, rule
from .placement_types import Partial, Shard

S = Shard


def _linear(*rest):
    """A product is linear in each factor by itself: where one is a partial sum or mean, the product is; `rest` stands before the factors."""
    for op in ("sum", "avg"):
        yield [Partial(op)], [*(Partial(op) for _ in rest), Partial(op), R]
        yield [Partial(op)], [*(Partial(op) for _ in rest), R, Partial(op)]


def _beside(bias, rank):
    """How what is added is placed, by the dimension along which the product of `rank` dimensions is cut."""

    def of_bias(dim):
        at = dim - (rank - len(bias))
        return S(at) if at >= 0 and bias[at] != 1 else R

    return of_bias


@rule("mm", "int8_mm_dequant")
def _mm(call):
    yield [P], [S(1), S(0)]
    yield [S(0)], [S(0), R]
    yield [S(1)], [R, S(1)]
    yield from _linear()


@rule("addmm")
def _addmm(call):
    of_bias = _beside(call.specs[0].shape, 2)
    yield [P], [P, S(1), S(0)]
    yield [S(0)], [of_bias(0), S(0), R]
    yield [S(1)], [of_bias(1), R, S(1)]
    yield from _linear("bias")


@rule("bmm")
def _bmm(call):
    yield [S(0)], [S(0), S(0)]
    yield [P], [S(2), S(1)]
    yield [S(1)], [S(1), R]
    yield [S(2)], [R, S(2)]
    yield from _linear()


@rule("baddbmm")
def _baddbmm(call):
    of_bias = _beside(call.specs[0].shape, 3)
    yield [S(0)], [of_bias(0), S(0), S(0)]
    yield [P], [P, S(2), S(1)]
    yield [S(1)], [of_bias(1), S(1), R]
    yield [S(2)], [of_bias(2), R, S(2)]
    yield from _linear("bias")


@rule("mv")
def _mv(call):
    yield [S(0)], [S(0), R]
    yield [P], [S(1), S(0)]


@rule("dot", "vdot")
def _dot(call):
    yield [P], [S(0), S(0)]


def _attention(call):
    """Heads or sequences of the batch may be on other ranks."""
    outs = call.outputs
    for dim in (1, 0):
        yield (
            [S(dim) if meta is not None and len(meta.shape) > 2 else R for meta in outs],
            [S(dim) if len(spec.shape) > 2 else R for spec in call.specs],
        )


for _name in (
    "_scaled_dot_product_flash_attention",
    "_scaled_dot_product_efficient_attention",
    "_scaled_dot_product_cudnn_attention",
    "_scaled_dot_product_flash_attention_backward",
    "_scaled_dot_product_efficient_attention_backward",
    "_scaled_dot_product_cudnn_attention_backward",
):
    rule(_name)(_attention)
