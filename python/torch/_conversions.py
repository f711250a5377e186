"""Moves between devices and casts between dtypes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C
from ._arguments import place_of
from ._tensor import Tensor
from ._types import dtype as _dtype_type

if TYPE_CHECKING:
    from typing import Any

    import torch


ops = _C.ops
guessed_rows = {}  # how many rows tables have that nobody described -> a file


_FEWEST = 256  # fewer rows are as many as a layer's weight or a batch may have


def guess_rows(rows: int, file: str) -> None:
    """Remembers how many rows a file was taken to have, which nobody described."""
    if rows >= _FEWEST:
        guessed_rows.setdefault(rows, file)


@_C.compiled
def to(
    self: Tensor,
    *args: Any,
    dtype: torch.dtype | None = None,
    device: torch.device | str | int | None = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: torch.memory_format | None = None,
) -> Tensor:
    for i, a in enumerate(args):
        if isinstance(a, _dtype_type):
            dtype = a
        elif isinstance(a, Tensor):
            dtype, device = a.dtype, a.device
        elif isinstance(a, bool):
            if i == len(args) - 1 and i >= 2:
                copy = a
            else:
                non_blocking = a
        elif a is not None:
            device = a
    if device is not None:
        _, device = place_of(None, device)
    made = ops.to(self, dtype, device, non_blocking, copy, memory_format)
    if guessed_rows and not self.is_cuda and made.is_cuda:
        tell_rows(made)
    return made


def tell_rows(made: Tensor) -> None:
    """Says that at least half of the rows that a table was guessed to have lie on the device at once: a real table may have more."""
    rows = made.shape[0] if made.dim() else 0
    total = next((n for n in guessed_rows if n <= 2 * rows <= 2 * n), None)
    if total is not None:
        size = made.numel() // rows * made.element_size()
        values = (guessed_rows[total], rows, total, size)
        _C._js.assume("guessed_rows", _C.here(), "file,rows,total,rowBytes", "\n".join(map(str, values)))


@_C.compiled
def cuda(
    self: Tensor,
    device: torch.device | int | str | None = None,
    non_blocking: bool = False,
    memory_format: torch.memory_format | None = None,
) -> Tensor:
    return to(self, device="cuda" if device is None else device, non_blocking=non_blocking, memory_format=memory_format)


@_C.compiled
def cpu(self: Tensor, memory_format: torch.memory_format | None = None) -> Tensor:
    return ops.to(self, None, "cpu", False, False, memory_format)


@_C.compiled
def type_as(self: Tensor, other: Tensor) -> Tensor:
    return ops.to(self, other.dtype, other.device)


@_C.compiled
def to_dense(self: Tensor, dtype: torch.dtype | None = None, *, masked_grad: bool | None = None) -> Tensor:
    """A strided tensor is dense already (to_dense in aten/src/ATen/native/TensorConversions.cpp)."""
    return self if dtype is None else ops.to(self, dtype)


@_C.compiled
def to_sparse(self: Tensor, *args: Any, **kwargs: Any) -> Any:
    from .sparse import to_sparse

    return to_sparse(self, *args, **kwargs)


def _cast(name):
    def f(self, memory_format=None):
        return ops.to(self, name, None, False, False, memory_format)

    return f


_CASTS = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "bfloat16": "bfloat16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
    "cfloat": "complex64",
    "cdouble": "complex128",
}

CAST_METHODS = {name: _cast(dtype) for name, dtype in _CASTS.items()}

METHODS = ("to", "cuda", "cpu", "type_as", "to_dense", "to_sparse")
