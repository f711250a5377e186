"""torch.linalg: the common factorisations and norms."""

from . import _C
from ._arguments import dims_of

ops = _C.ops


class LinAlgError(RuntimeError):
    """A matrix that a decomposition cannot take."""


LinAlgError.__module__ = "torch._C"


def norm(A, ord=None, dim=None, keepdim=False, *, out=None, dtype=None):
    dims = dims_of(dim)
    if isinstance(ord, str):
        return ops.linalg_norm_ord_str(A, ord, dims, keepdim, dtype)
    return ops.linalg_norm(A, ord, dims, keepdim, dtype)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None):
    return ops.linalg_vector_norm(x, ord, dims_of(dim), keepdim, dtype)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, out=None):
    if isinstance(ord, str):
        return ops.linalg_matrix_norm_str_ord(A, ord, dim, keepdim, dtype)
    return ops.linalg_matrix_norm(A, ord, dim, keepdim, dtype)


def multi_dot(tensors, *, out=None):
    return ops.linalg_multi_dot(list(tensors))


def matmul(a, b, *, out=None):
    return ops.matmul(a, b)


def vecdot(x, y, *, dim=-1, out=None):
    return (x * y).sum(dim)


def vander(x, *, N=None):
    """Powers of a vector's elements, from zero on (BatchLinearAlgebra.cpp: linalg_vander)."""
    rows = x.unsqueeze(-1) if x.dim() == 0 else x
    n = rows.shape[-1] if N is None else N
    if n <= 1:
        raise RuntimeError("N must be greater than 1.")
    powers = ops.cumprod(rows.unsqueeze(-1).expand(*rows.shape, n - 1), -1)
    return ops.cat([powers.new_ones((*rows.shape, 1)), powers], -1)


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return ops.diagonal(A, offset, dim1, dim2)


def __getattr__(name):
    for candidate in ("linalg_" + name, name):
        if hasattr(type(ops), candidate):
            return getattr(ops, candidate)
    raise AttributeError(f"vramscope has no row for torch.linalg.{name}")
