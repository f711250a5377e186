"""torch.sparse: matrices in coordinate form: made, put in order, added, scaled, transposed and times dense ones. What is missing says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import _C, _literals

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Self

    from torch import Tensor

ops = _C.ops


def _missing(what):
    raise _C.UnsupportedOp(f"vramscope does not simulate {what} of sparse tensors")


class SparseTensor:
    """Indices `(dimensions, entries)` in int64 and values `(entries, ...)`; both take memory, zeros do not."""

    layout = torch.sparse_coo
    is_sparse = True
    is_sparse_csr = False
    is_nested = False
    grad = grad_fn = None

    def __init__(self, indices: Tensor, values: Any, size: int | Sequence[int], coalesced: bool = False) -> None:
        if not _taught:
            _teach()
        self._i, self._v, self.shape, self._coalesced = indices, values, torch.Size(size), coalesced

    dtype = property(lambda self: self._v.dtype)
    device = property(lambda self: self._v.device)
    requires_grad = property(lambda self: self._v.requires_grad)
    is_leaf = property(lambda self: self._v.is_leaf)
    is_cuda = property(lambda self: self._v.is_cuda)
    is_meta = property(lambda self: self._v.is_meta)
    ndim = property(lambda self: len(self.shape))

    def size(self, dim: int | None = None) -> Any:
        return self.shape if dim is None else self.shape[dim]

    def dim(self) -> int:
        return len(self.shape)

    def sparse_dim(self) -> int:
        return self._i.size(0)

    def dense_dim(self) -> int:
        return len(self.shape) - self._i.size(0)

    def numel(self) -> int:
        return self.shape.numel()

    def is_floating_point(self) -> bool:
        return self._v.is_floating_point()

    def is_complex(self) -> bool:
        return self._v.is_complex()

    def _nnz(self):
        return self._i.size(1)

    def _indices(self):
        return self._i

    def _values(self):
        return self._v

    def is_coalesced(self) -> bool:
        return self._coalesced

    def indices(self) -> Tensor:
        if not self._coalesced:
            raise RuntimeError("Cannot get indices on an uncoalesced tensor, please call .coalesce() first")
        return self._i.view(self._i.shape)

    def values(self) -> Tensor:
        if not self._coalesced:
            raise RuntimeError("Cannot get values on an uncoalesced tensor, please call .coalesce() first")
        return self._v.view(self._v.shape)

    def coalesce(self) -> SparseTensor:
        """Every entry is taken to be at a place of its own; fewer than two are in order already."""
        if self._coalesced or self._nnz() < 2:
            return self if self._coalesced else SparseTensor(self._i, self._v, self.shape, True)
        if not self.is_cuda:
            return SparseTensor(self._i.clone(), self._v.clone(), self.shape, True)
        _C._js.assume("data_dependent_size", _C.here(), "rule", "all places of a sparse tensor differ")
        values, indices = ops._coalesced_entries(self._i, self._v)
        return SparseTensor(indices, values, self.shape, True)

    def _map(self, indices, values):
        return SparseTensor(indices, values, self.shape, self._coalesced)

    def to(self, *args: Any, **kw: Any) -> Any:
        values = self._v.to(*args, **kw)
        return self if values is self._v else self._map(self._i.to(values.device, copy=True), values)

    def cuda(self, device: torch.device | str | int | None = None, non_blocking: bool = False) -> Any:
        return self.to("cuda")

    def cpu(self) -> Any:
        return self.to("cpu")

    def float(self) -> Any:
        return self.to(torch.float32)

    def double(self) -> Any:
        return self.to(torch.float64)

    def half(self) -> Any:
        return self.to(torch.float16)

    def bfloat16(self) -> Any:
        return self.to(torch.bfloat16)

    def detach(self) -> SparseTensor:
        return self._map(self._i.detach(), self._v.detach())

    def clone(self) -> SparseTensor:
        values = self._v.clone()
        return self._map(self._i.clone(), values)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        self._v.requires_grad_(requires_grad)
        return self

    def t(self) -> SparseTensor:
        if len(self.shape) != 2:
            raise RuntimeError(
                f"t() expects a tensor with <= 2 sparse and 0 dense dimensions, but self is {self.ndim}D"
            )
        values, indices = self._v.clone(), self._i.clone()
        if self.sparse_dim() == 2:
            indices[0].clone()  # the row that both change places over
        return SparseTensor(indices, values, self.shape[::-1])

    T = property(t)

    def transpose(self, dim0: int, dim1: int) -> SparseTensor:
        return self.clone() if dim0 % 2 == dim1 % 2 else self.t()

    def to_dense(self, dtype: torch.dtype | None = None, *, masked_grad: bool | None = None) -> Tensor:
        return _Dense.apply(self._i, self._v, self.shape, self._coalesced)

    def to_sparse(self, *_: Any, **__: Any) -> Self:
        return self

    def __add__(self, other: Any) -> Any:
        """Entries one after another; where both are in order, the sum is put in order when somebody asks."""
        if not isinstance(other, SparseTensor):
            return _dense_plus(other, self)
        if self.shape != other.shape:
            raise RuntimeError(
                f"add: expected sizes of 'self' and 'other' to match, but {list(self.shape)} != {list(other.shape)}"
            )
        indices = torch.cat([self._i, other._i], 1)
        return SparseTensor(indices, torch.cat([self._v, other._v]), self.shape)

    __radd__ = add = __add__

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, SparseTensor) or (isinstance(other, torch.Tensor) and other.dim() > 0):
            _missing("products of two, element by element,")
        indices = self._i.clone()
        return self._map(indices, self._v * other)

    __rmul__ = mul = __mul__

    def __truediv__(self, other: Any) -> Any:
        indices = self._i.clone()
        return self._map(indices, self._v / other)

    div = __truediv__

    def __neg__(self) -> SparseTensor:
        return self * -1

    def sum(self, dim: int | None = None) -> Tensor:
        if dim is not None:
            _missing("sums along a dimension")
        return self._v.sum()

    def __matmul__(self, other: Any) -> Any:
        return mm(self, other)

    matmul = mm = spmm = __matmul__

    def __rmatmul__(self, other: Any) -> Any:
        """A dense tensor times this one, as PyTorch takes it: the product of both turned around, turned back."""
        return mm(self.t(), other.transpose(-2, -1)).transpose(-2, -1)

    def __repr__(self) -> str:
        return f"tensor(size={tuple(self.shape)}, nnz={self._nnz()}, layout=torch.sparse_coo)"

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)
        # what operators look for in a tensor
        _missing("this operator" if name == "_h" else f"'{name}'")


class _Dense(torch.autograd.Function):
    """The dense tensor of entries: zeros, and the entries added at their places, which are numbered first unless they are in order."""

    @staticmethod
    def forward(ctx: Any, indices: Any, values: Any, shape: Any, coalesced: Any) -> Tensor:
        ctx.save_for_backward(indices)
        made = values.new_zeros(shape)
        if not coalesced and indices.size(1):
            indices[0].clone()
        return made

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        (indices,) = ctx.saved_tensors
        return None, grad[tuple(indices.unbind(0))], None, None


class _DensePlus(torch.autograd.Function):
    """A copy of the dense tensor, to which the entries are added where they are."""

    @staticmethod
    def forward(ctx: Any, dense: Any, indices: Any, values: Any) -> Tensor:
        ctx.save_for_backward(indices)
        return dense.clone()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        (indices,) = ctx.saved_tensors
        return grad, None, grad[tuple(indices.unbind(0))] if ctx.needs_input_grad[2] else None


def _dense_plus(dense, sparse):
    return _DensePlus.apply(dense, sparse._i, sparse._v) if isinstance(dense, torch.Tensor) else NotImplemented


def _times(indices, values, shape, coalesced, dense):
    """A product as the library takes it: rows counted, columns in 32 bits, entries in order."""
    beside = dense.new_zeros((shape[0], dense.size(1)))
    made = dense.new_empty((shape[0], dense.size(1)))
    entries = SparseTensor(indices, values, shape, coalesced).coalesce()
    if not dense.is_cuda:
        return made
    starts = torch.empty(shape[0] + 1, dtype=torch.int32, device=dense.device)
    entries._i[0].to(torch.int32)
    columns = entries._i[1].to(torch.int32)
    _C._js.assume("sparse_library_buffer", _C.here(), "op", "sparse.mm")
    del starts, columns, beside
    return made


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, indices: Any, values: Any, shape: Any, coalesced: Any, dense: Any) -> Tensor:
        ctx.save_for_backward(indices, values, dense)
        ctx.shape, ctx.coalesced = shape, coalesced
        return _times(indices, values, shape, coalesced, dense)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        indices, values, dense = ctx.saved_tensors
        found = [None] * 5
        if ctx.needs_input_grad[1]:
            # the whole matrix of gradients, of which the entries' places are kept
            found[1] = torch.mm(grad, dense.t())[tuple(indices.unbind(0))]
        if ctx.needs_input_grad[4]:
            turned = SparseTensor(indices, values, ctx.shape).t()
            found[4] = _times(turned._i, turned._v, turned.shape, False, grad)
        return tuple(found)


# Functions of torch that take sparse tensors, once there is one: before that they are as they are.
_taught = {}


def _teach():
    def taught(own, sparse):
        def f(*args, **kwargs):
            is_sparse = any(isinstance(arg, SparseTensor) for arg in args[:3])
            return sparse(*args, **kwargs) if is_sparse else own(*args, **kwargs)

        f.__name__ = f.__qualname__ = own.__name__
        return f

    _taught.update(
        mm=mm,
        matmul=mm,
        mv=mm,
        addmm=addmm,
        add=lambda input, other, *, alpha=1: input + (other if alpha == 1 else other * alpha),
        mul=lambda input, other: input * other,
        sum=sum,
        clone=lambda input: input.clone(),
        is_tensor=lambda input: True,
    )
    for name, sparse in _taught.items():
        setattr(torch, name, taught(getattr(torch, name), sparse))


def mm(mat1: Any, mat2: Any, reduce: str | None = None) -> Tensor:
    """A coordinate matrix `(n, m)` times a dense one `(m, k)`: dense `(n, k)`."""
    if not isinstance(mat1, SparseTensor):
        if isinstance(mat2, SparseTensor):
            _missing("products with a dense matrix first")
        return torch.mm(mat1, mat2)
    if isinstance(mat2, SparseTensor):
        _missing("products of two")
    if mat1.shape[1] != mat2.shape[0]:
        raise RuntimeError(f"mm: Argument #3 (dense): Expected dim 0 size {mat1.shape[1]}, got {mat2.shape[0]}")
    if mat2.dim() == 1:
        return _Product.apply(mat1._i, mat1._v, mat1.shape, mat1._coalesced, mat2.unsqueeze(1)).squeeze(1)
    return _Product.apply(mat1._i, mat1._v, mat1.shape, mat1._coalesced, mat2)


def addmm(mat: Any, mat1: Any, mat2: Any, *, beta: Any = 1.0, alpha: Any = 1.0) -> Tensor:
    return mat * beta + mm(mat1, mat2) * alpha if (beta, alpha) != (1.0, 1.0) else mat + mm(mat1, mat2)


def sum(input: Any, dim: int | None = None, dtype: torch.dtype | None = None) -> Tensor:
    return input.sum(dim) if dtype is None else input.to(dtype).sum(dim)


def to_sparse(
    self: Tensor,
    sparse_dim: int | None = None,
    *,
    layout: Any = None,
    blocksize: Any = None,
    dense_dim: int | None = None,
) -> SparseTensor:
    """The elements that are not zero, in order (dense_to_sparse in aten/src/ATen/native/TensorConversions.cpp)."""
    if layout not in (None, torch.sparse_coo) or blocksize is not None:
        _missing(f"layout {layout}")
    dims = self.dim() if sparse_dim is None else sparse_dim
    if not 0 < dims <= self.dim():
        raise RuntimeError(f"sparse_dim must be in range [0, {self.dim()}), but is {dims}")
    rest = tuple(range(dims, self.dim()))
    is_nonzero = (
        ((self != 0).any(rest[0]) if len(rest) == 1 else self.detach().flatten(dims).ne(0).any(-1))
        if rest
        else self.detach()
    )
    indices = is_nonzero.nonzero().t().contiguous()
    return SparseTensor(indices, self[tuple(indices.unbind(0))], self.shape, True)


def sparse_coo_tensor(
    indices: Tensor = None,
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
    if values is None:
        # only a size: nothing in it
        size = size if size is not None else indices
        indices = torch.empty((len(size), 0), dtype=torch.int64, device=device)
        values = torch.empty(0, dtype=dtype, device=device)
    indices = _literals.as_tensor(indices, dtype=torch.int64, device=device)
    values = _literals.as_tensor(values, dtype=dtype, device=device if device is not None else indices.device)
    if size is None:
        size = [int(n) + 1 for n in indices.amax(1).tolist()] + list(values.shape[1:])
    made = SparseTensor(indices.detach(), values, size, bool(is_coalesced))
    return made.requires_grad_() if requires_grad else made


# constructors of older programs; the entries keep their dtype
_LEGACY = frozenset(
    "FloatTensor DoubleTensor HalfTensor BFloat16Tensor LongTensor IntTensor ShortTensor CharTensor ByteTensor".split()
)


def _legacy(*args: Any, device: torch.device | str | int | None = None) -> SparseTensor:
    """Indices and values, and a size; or a size alone, in numbers."""
    given = [a for a in args if isinstance(a, torch.Tensor)]
    if given:
        return sparse_coo_tensor(*args, device=device)
    return sparse_coo_tensor(args[0] if args and not isinstance(args[0], int) else args, device=device)


def __getattr__(name: str) -> Callable:
    if name.startswith("__"):
        raise AttributeError(name)
    if name in _LEGACY:
        return _legacy
    return lambda *_, **__: _missing(f"torch.sparse.{name}")
