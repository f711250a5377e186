"""torch.sparse: matrices in coordinate form times dense ones. Other layouts and operators say that they are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import _C, _literals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Self

    from torch import Tensor


ops = _C.ops


def _missing(what):
    raise _C.UnsupportedOp(
        f"vramscope does not simulate {what} of sparse tensors: only coordinate matrices times dense ones"
    )


class SparseTensor:
    """Indices `(dimensions, entries)` in int64 and values `(entries, ...)` of a matrix; both take memory, zeros do not."""

    layout = torch.sparse_coo
    is_sparse = True
    is_sparse_csr = False
    is_nested = False

    def __init__(self, indices: Tensor, values: Any, size: int | Sequence[int], coalesced: bool = False) -> None:
        self._i, self._v, self.shape, self._coalesced = indices, values, torch.Size(size), coalesced

    dtype = property(lambda self: self._v.dtype)
    device = property(lambda self: self._v.device)
    requires_grad = property(lambda self: self._v.requires_grad)
    is_cuda = property(lambda self: self._v.is_cuda)
    ndim = property(lambda self: len(self.shape))

    def size(self, dim: int | None = None) -> int:
        return self.shape if dim is None else self.shape[dim]

    def dim(self) -> int:
        return len(self.shape)

    def _nnz(self):
        return self._i.size(1)

    def _indices(self):
        return self._i

    def _values(self):
        return self._v

    def is_coalesced(self) -> Any:
        return self._coalesced

    def indices(self) -> Any:
        if not self._coalesced:
            raise RuntimeError("Cannot get indices on an uncoalesced tensor, please call .coalesce() first")
        return self._i

    def values(self) -> Iterable:
        if not self._coalesced:
            raise RuntimeError("Cannot get values on an uncoalesced tensor, please call .coalesce() first")
        return self._v

    def coalesce(self) -> SparseTensor | Self:
        """Every entry is taken to be at a place of its own."""
        if self._coalesced:
            return self
        return SparseTensor(self._i.clone(), self._v.clone(), self.shape, True)

    def _map(self, indices, values):
        return SparseTensor(indices, values, self.shape, self._coalesced)

    def to(self, *args: Any, **kw: Any) -> Any:
        values = self._v.to(*args, **kw)
        return self if values is self._v else self._map(self._i.to(values.device), values)

    def cuda(self, device: torch.device | str | int | None = None, non_blocking: bool = False) -> Any:
        return self.to("cuda")

    def cpu(self) -> Any:
        return self.to("cpu")

    def float(self) -> Any:
        return self.to(torch.float32)

    def detach(self) -> Any:
        return self._map(self._i.detach(), self._v.detach())

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        self._v.requires_grad_(requires_grad)
        return self

    def t(self) -> SparseTensor:
        return SparseTensor(self._i.flip(0), self._v, self.shape[::-1])

    def transpose(self, dim0: Any, dim1: Any) -> Any:
        return self if dim0 == dim1 else self.t()

    def to_dense(self, *_: Any, **__: Any) -> Any:
        return torch.zeros(self.shape, dtype=self.dtype, device=self.device).index_put(
            tuple(self._i.unbind(0)), self._v, accumulate=True
        )

    def __matmul__(self, other: Tensor) -> Tensor:
        return mm(self, other)

    matmul = mm = spmm = __matmul__

    def __repr__(self) -> str:
        return f"tensor(size={tuple(self.shape)}, nnz={self._nnz()}, layout=torch.sparse_coo)"

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)
        _missing(f"'{name}'")


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, indices: Tensor, values: Any, rows: Any, dense: Any) -> Any:
        ctx.save_for_backward(indices, values, dense)
        ctx.columns = dense.size(0)
        return dense.new_empty((rows, *dense.shape[1:]))

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        indices, values, dense = ctx.saved_tensors
        found = [None, None, None, None]
        if ctx.needs_input_grad[1]:
            found[1] = values.new_empty(values.shape)
        if ctx.needs_input_grad[3]:
            found[3] = grad.new_empty((ctx.columns, *grad.shape[1:]))
        return tuple(found)


def mm(mat1: Any, mat2: Tensor, reduce: str | None = None) -> Tensor:
    """A coordinate matrix `(n, m)` times a dense one `(m, k)`: dense `(n, k)`."""
    if not isinstance(mat1, SparseTensor):
        return torch.mm(mat1, mat2)
    if isinstance(mat2, SparseTensor):
        _missing("products of two")
    if mat1.shape[1] != mat2.shape[0]:
        raise RuntimeError(f"mm: Argument #3 (dense): Expected dim 0 size {mat1.shape[1]}, got {mat2.shape[0]}")
    _C._js.assume("sparse_library_buffer", _C.here(), "op", "sparse.mm")
    return _Product.apply(mat1._i, mat1._v, mat1.shape[0], mat2)


def addmm(mat: Any, mat1: Tensor, mat2: Tensor, *, beta: Any = 1.0, alpha: Any = 1.0) -> Tensor:
    return mat * beta + mm(mat1, mat2) * alpha if (beta, alpha) != (1.0, 1.0) else mat + mm(mat1, mat2)


def sparse_coo_tensor(
    indices: Tensor,
    values: Tensor | list | None = None,
    size: Sequence[int] | None = None,
    *,
    dtype: torch.dtype | None = None,
    device: torch.device | str | int | None = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    check_invariants: bool | None = None,
    is_coalesced: bool | None = None,
) -> Tensor:
    indices = _literals.as_tensor(indices, dtype=torch.int64, device=device)
    values = _literals.as_tensor(values, dtype=dtype, device=device if device is not None else indices.device)
    if size is None:
        size = [int(n) + 1 for n in indices.amax(1).tolist()] + list(values.shape[1:])
    made = SparseTensor(indices.detach(), values, size, bool(is_coalesced))
    return made.requires_grad_() if requires_grad else made


def __getattr__(name: str) -> Callable:
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda *_, **__: _missing(f"torch.sparse.{name}")
