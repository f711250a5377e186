"""Functions that reduce dims and are Python in PyTorch, too (torch/functional.py)."""

from . import _C
from ._arguments import dims_of, out_form

ops = _C.ops


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    if p == "fro" or p is None:
        p = 2
    if p == "nuc":
        return ops.linalg_svdvals(input).sum(-1)
    return out_form(out, ops.linalg_vector_norm, input, p, dims_of(dim), keepdim, dtype)


METHODS = ("norm",)
