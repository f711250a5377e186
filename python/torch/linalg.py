"""torch.linalg: the common factorisations and norms."""

from . import _C, _functional as F

ops = _C.ops


def norm(A, ord=None, dim=None, keepdim=False, *, out=None, dtype=None):
    if isinstance(ord, str):
        return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None):
    return ops.linalg_vector_norm(x, ord, F._dims(dim), keepdim, dtype)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, out=None):
    if ord == "nuc":
        return ops.linalg_svdvals(A).sum(-1, keepdim)
    return ops.linalg_vector_norm(A, 2, dim, keepdim, dtype)


def multi_dot(tensors, *, out=None):
    result = tensors[0]
    for t in tensors[1:]:
        result = ops.matmul(result, t)
    return result


def matmul(a, b, *, out=None):
    return ops.matmul(a, b)


def vecdot(x, y, *, dim=-1, out=None):
    return (x * y).sum(dim)


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return ops.diagonal(A, offset, dim1, dim2)


def __getattr__(name):
    for candidate in ("linalg_" + name, name):
        if hasattr(type(ops), candidate):
            return getattr(ops, candidate)
    raise AttributeError(f"vramscope has no row for torch.linalg.{name}")
