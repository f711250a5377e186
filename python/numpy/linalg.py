"""numpy.linalg: norms, solving and decomposing small matrices by elimination; what needs iterations gives shapes only."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from torch._stand_ins import lacks, note

from ._array import ndarray
from ._make import array, asarray, eye
from ._products import matmul
from ._reduce import _reduced

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import ArrayLike


__getattr__ = lacks("numpy.linalg")


class LinAlgError(ValueError):
    """A matrix that cannot be treated so."""


def norm(x: ArrayLike, ord: Any = None, axis: int | None = None, keepdims: bool = False) -> Any:
    """The norm of all values, or along an axis."""
    x = asarray(x)
    kind = x.dtype if x.dtype.kind == "f" else "float64"
    if ord in (None, 2, "fro"):
        function = lambda v: math.sqrt(math.fsum(abs(t) ** 2 for t in v))
    elif ord == math.inf:
        function = lambda v: max(map(abs, v), default=0.0)
    elif ord == -math.inf:
        function = lambda v: min(map(abs, v), default=0.0)
    elif ord == 0:
        function = lambda v: float(sum(t != 0 for t in v))
    else:
        function = lambda v: math.fsum(abs(t) ** ord for t in v) ** (1 / ord)
    return _reduced("norm", function, x, axis, keepdims, kind, 0.0)


def solved(a: ArrayLike, b: ArrayLike) -> list:
    """x of a x = b for lists of rows, by elimination with pivots."""
    n = len(a)
    rows = [list(map(float, r)) + list(map(float, s)) for r, s in zip(a, b)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        if rows[pivot][i] == 0:
            raise LinAlgError("Singular matrix")
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for k in range(n):
            if k != i and rows[k][i]:
                factor = rows[k][i]
                rows[k] = [v - factor * w for v, w in zip(rows[k], rows[i])]
    return [r[n:] for r in rows]


def _square(a):
    a = asarray(a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return a


def _each(function, a, shape):
    """A function of one matrix for each of a stack."""
    if a._values is None:
        return ndarray((*a.shape[:-2], *shape), "float64")
    if a.ndim == 2:
        return array(function(a.tolist()), dtype="float64").reshape(shape)
    return array([_each(function, part, shape) for part in a])


def solve(a: ArrayLike, b: ArrayLike) -> Any:
    a, b = _square(a), asarray(b)
    if a._values is None or b._values is None:
        return ndarray(b.shape, "float64")
    columns = b.reshape(b.shape[0], -1).tolist()
    return array(solved(a.tolist(), columns), dtype="float64").reshape(b.shape)


def inv(a: ArrayLike) -> Any:
    a = _square(a)
    n = a.shape[-1]
    return _each(lambda rows: solved(rows, eye(n).tolist()), a, (n, n))


def det(a: ArrayLike) -> Any:
    def of(rows):
        rows, total = [list(map(float, r)) for r in rows], 1.0
        for i in range(len(rows)):
            pivot = max(range(i, len(rows)), key=lambda k: abs(rows[k][i]))
            if rows[pivot][i] == 0:
                return 0.0
            if pivot != i:
                rows[i], rows[pivot], total = rows[pivot], rows[i], -total
            total *= rows[i][i]
            for k in range(i + 1, len(rows)):
                factor = rows[k][i] / rows[i][i]
                rows[k] = [v - factor * w for v, w in zip(rows[k], rows[i])]
        return total

    a = _square(a)
    found = _each(of, a, ())
    return found if a.ndim > 2 else found.item()


def pinv(a: ArrayLike, rcond: float = 1e-15, hermitian: bool = False) -> Any:
    a = asarray(a)
    t = a.T
    return matmul(inv(matmul(t, a)), t) if a.shape[0] >= a.shape[1] else matmul(t, inv(matmul(a, t)))


def lstsq(a: ArrayLike, b: ArrayLike, rcond: Any = None) -> tuple:
    found = matmul(pinv(a), b)
    return found, array([]), min(asarray(a).shape), array([0.0])


def cholesky(a: ArrayLike) -> Any:
    def of(rows):
        n = len(rows)
        low = [[0.0] * n for _ in range(n)]
        for i in range(n):
            for j in range(i + 1):
                rest = rows[i][j] - math.fsum(low[i][k] * low[j][k] for k in range(j))
                if i == j and rest <= 0:
                    raise LinAlgError("Matrix is not positive definite")
                low[i][j] = math.sqrt(rest) if i == j else rest / low[j][j]
        return low

    a = _square(a)
    return _each(of, a, a.shape[-2:])


def _shapes(name, *shapes):
    note("numpy_placeholder", "op", f"numpy.linalg.{name}")
    return tuple(ndarray(shape, "float64") for shape in shapes)


def svd(a: ArrayLike, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    *outer, m, n = asarray(a).shape
    k = min(m, n)
    if not compute_uv:
        return _shapes("svd", (*outer, k))[0]
    return _shapes("svd", (*outer, m, m if full_matrices else k), (*outer, k), (*outer, n if full_matrices else k, n))


def qr(a: ArrayLike, mode: str = "reduced") -> tuple:
    *outer, m, n = asarray(a).shape
    k = m if mode == "complete" else min(m, n)
    return _shapes("qr", (*outer, m, k), (*outer, k, n))


def eigh(a: ArrayLike, UPLO: str = "L") -> tuple:
    shape = _square(a).shape
    return _shapes("eigh", shape[:-1], shape)


eig = eigh


def eigvalsh(a: ArrayLike, UPLO: str = "L") -> Any:
    return eigh(a)[0]


eigvals = eigvalsh


def matrix_rank(A: ArrayLike, tol: Any = None, hermitian: bool = False) -> Any:
    return min(asarray(A).shape[-2:])


def matrix_power(a: ArrayLike, n: int) -> Any:
    found = eye(asarray(a).shape[-1])
    for _ in range(abs(n)):
        found = matmul(found, a)
    return inv(found) if n < 0 else found


def multi_dot(arrays: Sequence[ArrayLike]) -> Any:
    found = arrays[0]
    for a in arrays[1:]:
        found = matmul(found, a)
    return found
