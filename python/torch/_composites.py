"""Functions of torch that are Python in PyTorch, too: factors of low rank, positions (torch/_lowrank.py, torch/functional.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import _C
from ._tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Sequence
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


# --- names that are methods, and in-place forms


def _method(name):
    def f(input, *args, **kwargs):
        return getattr(input, name)(*args, **kwargs)

    f.__name__ = f.__qualname__ = name
    return f


_BY_METHOD = "detach_ resize_as_ is_signed get_device".split()
_METHODS = ("lu",)


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


def _can_stand_for(input, from_):
    """torch._has_compatible_shallow_copy_type: whether `input.data = from_` is possible."""
    return input.layout == from_.layout and input.is_meta == from_.is_meta


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
    namespace["_has_compatible_shallow_copy_type"] = _can_stand_for
    for name in _BY_METHOD:
        if hasattr(Tensor, name):
            namespace.setdefault(name, _method(name))
    for name in _METHODS:
        if name not in vars(Tensor):
            setattr(Tensor, name, own[name])
