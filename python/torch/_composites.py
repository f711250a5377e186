"""Functions of torch that PyTorch itself writes in other operators, and their methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import _C
from ._arguments import dims_of
from ._tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any


ops = _C.ops


def lu(A: Tensor, pivot: bool = True, get_infos: bool = False, out: Any = None) -> tuple[Tensor, ...]:
    """The packed factors of A `(..., m, n)`, pivots `(..., min(m, n))` and, where asked, infos `(...)` (torch/functional.py: _lu_impl)."""
    found = ops.linalg_lu_factor_ex(A, pivot, False)[: 3 if get_infos else 2]
    if out is None:
        return tuple(found)
    for kept, value in zip(out, found):
        kept.resize_as_(value).copy_(value)
    return out


# --- low rank (torch/_lowrank.py)


def _approximate_basis(A, q, niter, M):
    R = torch.randn(A.shape[-1], q, dtype=A.dtype, device=A.device)
    X = torch.matmul(A, R)
    if M is not None:
        X = X - torch.matmul(M, R)
    Q = torch.linalg.qr(X).Q
    for _ in range(niter):
        X = torch.matmul(A.mH, Q)
        if M is not None:
            X = X - torch.matmul(M.mH, Q)
        Q = torch.linalg.qr(X).Q
        X = torch.matmul(A, Q)
        if M is not None:
            X = X - torch.matmul(M, Q)
        Q = torch.linalg.qr(X).Q
    return Q


def svd_lowrank(
    A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """An approximate singular value decomposition of rank `q`: U `(m, q)`, S `(q)`, V `(n, q)`."""
    q = 6 if q is None else q
    m, n = A.shape[-2:]
    if M is not None:
        M = M.broadcast_to(A.size())
    if m < n:
        A = A.mH
        if M is not None:
            M = M.mH
    Q = _approximate_basis(A, q, niter, M)
    B = torch.matmul(Q.mH, A)
    if M is not None:
        B = B - torch.matmul(Q.mH, M)
    U, S, Vh = torch.linalg.svd(B, full_matrices=False)
    V = Vh.mH
    U = Q.matmul(U)
    if m < n:
        U, V = V, U
    return U, S, V


def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> tuple[Tensor, Tensor, Tensor]:
    m, n = A.shape[-2:]
    q = min(6, m, n) if q is None else q
    if not (0 <= q <= min(m, n)):
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    if not center:
        return svd_lowrank(A, q, niter=niter)
    C = A.mean(dim=(-2,), keepdim=True)
    return svd_lowrank(A - C, q, niter=niter)


# --- reductions and numbers


def nanmean(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of what is not NaN (ReduceOps.cpp: nanmean)."""
    known = input.detach()
    count = torch.sum(ops.logical_not_(torch.ne(known, known)), dims_of(dim), keepdim)
    return torch.nansum(input, dims_of(dim), keepdim, dtype=dtype).div(count)


def unravel_index(indices: Tensor, shape: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Coordinates of flat positions in a shape, one tensor for each dimension (torch/functional.py: unravel_index)."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    steps, step = [], 1
    for size in reversed(shape):
        steps.append(step)
        step *= size
    made = lambda values: torch.tensor(values, device=indices.device, dtype=torch.int64)
    found = indices.unsqueeze(-1).floor_divide(made(steps[::-1])) % made(list(shape))
    return found.unbind(-1)


def cov(input: Tensor, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Tensor:
    """Covariance of rows (Correlation.cpp: cov), without weights."""
    rows = input.view(1, -1) if input.dim() < 2 else input
    weights = fweights
    if aweights is not None:
        weights = aweights if weights is None else weights * aweights
    if weights is None:
        total = torch.scalar_tensor(rows.size(1), dtype=torch.int64, device=input.device)
    else:
        total = weights.sum()
        _is_true(total.ne(0))
    mean = (rows if weights is None else rows * weights).sum(1) / total
    if weights is None:
        factor = torch.scalar_tensor(rows.size(1) - correction, dtype=torch.int64, device=input.device)
    elif aweights is not None and correction:
        factor = total - correction * (weights * aweights).sum() / total
    else:
        factor = total - correction
    _is_true(factor.le(0))
    rows = rows - mean.unsqueeze(1)
    product = torch.mm(rows, (rows if weights is None else rows * weights).t().conj())
    return torch.div(product, factor).squeeze()


def corrcoef(input: Tensor) -> Tensor:
    """Correlation of rows (Correlation.cpp: corrcoef)."""
    c = cov(input)
    if c.dim() == 0:
        return c / c
    d = c.diagonal()
    deviation = torch.sqrt(d.real if d.is_complex() else d)
    c = c / deviation.view(-1, 1)
    c = c / deviation.view(1, -1)
    return c.clip(-1, 1)


def _is_true(t):
    """Reads a truth value on the host (at::is_scalar_tensor_true)."""
    return torch.equal(t, t.new_ones((), dtype=torch.bool))


def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor | Iterator[tuple[Any, ...]]:
    """All choices of `r` elements, whose number is known (Itertools.cpp: combinations, _triu_mask)."""
    import math

    if r == 0:
        return torch.empty((0,), dtype=input.dtype, device=input.device)
    n = input.numel()
    steps = torch.arange(n, device=input.device)
    along = [steps.view([-1 if i == at else 1 for i in range(r)]).expand([n] * r) for at in range(r)]
    mask = torch.full([n] * r, True, dtype=torch.bool, device=input.device)
    for left, right in zip(along, along[1:]):
        mask.mul_(left <= right if with_replacement else left < right)
    del along, steps
    count = math.comb(n + r - 1 if with_replacement else n, r)
    return input[torch.nonzero_static(mask, size=count)].contiguous()


def gradient(
    input: Tensor, *, spacing: Any = 1, dim: int | Sequence[int] | None = None, edge_order: int = 1
) -> tuple[Tensor, ...]:
    """Central differences, and one-sided ones at the ends (ReduceOps.cpp: gradient_helper_float, gradient_helper)."""
    spacing = 1 if spacing is None else spacing
    dims = range(input.dim()) if dim is None else (dim,) if isinstance(dim, int) else dim
    steps = list(spacing) if isinstance(spacing, (list, tuple)) else [spacing] * len(dims)
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    if len(steps) != len(dims):
        raise RuntimeError(
            f"torch.gradient expected spacing to be unspecified, a scalar or a list of length equal to 'self.dim() = {input.dim()}', "
            f"since dim argument was not given, but got a list of length {len(steps)}"
        )
    along = _gradient_over if isinstance(steps[0], Tensor) else _gradient_of_steps
    return tuple(along(input, step, d, edge_order) for step, d in zip(steps, dims))


def _gradient_of_steps(t, step, dim, order):
    part = lambda start, end=None: ops.slice(t, dim, start, end, 1)
    centre = (part(2) - part(0, -2)) / step
    if order == 1:
        first = (part(1, 2) - part(0, 1)) / step
        last = (part(-1) - part(-2, -1)) / step
    else:
        first = (part(1, 2) * 4 - part(0, 1) * 3 - part(2, 3)) / (2 * step)
        last = (part(-1) * 3 - part(-2, -1) * 4 + part(-3, -2)) / (2 * step)
    return torch.cat((first, centre / 2, last), dim)


def _gradient_over(t, coordinates, dim, order):
    part = lambda start, end=None: ops.slice(t, dim, start, end, 1)
    shape = [-1 if i == dim % t.dim() else 1 for i in range(t.dim())]
    gaps = torch.diff(coordinates)
    left, right = gaps[:-1].reshape(shape), gaps[1:].reshape(shape)
    a = -right / (left * (left + right))
    b = (right - left) / (left * right)
    c = left / (right * (left + right))
    centre = a * part(0, -2) + b * part(1, -1) + c * part(2)
    if order == 1:
        first = (part(1, 2) - part(0, 1)) / gaps[0]
        last = (part(-1) - part(-2, -1)) / gaps[-1]
    else:
        raise _C.UnsupportedOp("vramscope does not simulate torch.gradient with coordinates and edge_order=2")
    return torch.cat((first, centre, last), dim)


def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    return input.contiguous().view(-1).diag(offset)


def fill(input: Tensor, value: Tensor | int | float | complex) -> Tensor:
    return input.clone().fill_(value)


# --- names that are methods, and in-place forms


def _method(name):
    def f(input, *args, **kwargs):
        return getattr(input, name)(*args, **kwargs)

    f.__name__ = f.__qualname__ = name
    return f


_BY_METHOD = "zero_ fill_ detach_ index_put_ resize_as_ negative_ is_signed get_device unflatten".split()
_METHODS = "lu nanmean cov corrcoef diagflat".split()


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Exchanges all of two tensors: geometry, storage, attributes (torch/utils/__init__.py: swap_tensors)."""
    t1._h, t2._h = t2._h, t1._h
    t1._m = t2._m = None
    _C._live[t1._h], _C._live[t2._h] = _C._ref(t1), _C._ref(t2)
    t1.__class__, t2.__class__ = t2.__class__, t1.__class__
    t1.__dict__, t2.__dict__ = _others(t2, t1), _others(t1, t2)
    for t in (t1, t2):
        if t._h in _C.subclasses:
            _C.subclasses[t._h] = (type(t), t.__dict__)


def _others(source, target):
    kept = {k: v for k, v in source.__dict__.items() if k not in ("_h", "_m")}
    return {**kept, "_h": target._h, "_m": None}


def install(namespace: str) -> None:
    """Puts functions into torch and methods into Tensor, where nothing of the name is there."""
    own = {
        n: f
        for n, f in globals().items()
        if callable(f) and getattr(f, "__module__", "") == __name__ and not n.startswith("_")
    }
    for name, function in own.items():
        if name not in ("install", "swap_tensors"):
            namespace.setdefault(name, function)
    for name in _BY_METHOD:
        if hasattr(Tensor, name):
            namespace.setdefault(name, _method(name))
    for name in _METHODS:
        if name not in vars(Tensor):
            setattr(Tensor, name, own[name])
