"""Rules of matrix products and attention."""

from ._rule_table import P, R, rule
from .placement_types import Shard

S = Shard


@rule("mm", "int8_mm_dequant")
def _mm(call):
    yield [P], [S(1), S(0)]
    yield [S(0)], [S(0), R]
    yield [S(1)], [R, S(1)]


@rule("addmm")
def _addmm(call):
    bias = call.specs[0].shape

    def of_bias(dim):
        at = dim - (2 - len(bias))
        return S(at) if at >= 0 and bias[at] != 1 else R

    yield [P], [P, S(1), S(0)]
    yield [S(0)], [of_bias(0), S(0), R]
    yield [S(1)], [of_bias(1), R, S(1)]


@rule("bmm")
def _bmm(call):
    yield [S(0)], [S(0), S(0)]
    yield [P], [S(2), S(1)]
    yield [S(1)], [S(1), R]
    yield [S(2)], [R, S(2)]


@rule("baddbmm")
def _baddbmm(call):
    yield [P], [P, S(2), S(1)]
    yield [S(0)], [S(0), S(0), S(0)]
    yield [S(1)], [S(1), S(1), R]
    yield [S(2)], [S(2), R, S(2)]


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
