"""Operators and the remaining methods of Tensor: arithmetic with numbers on either side, casts, new and new_tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C, _defaults, _functional, _literals, _typed_tensors
from ._arguments import sizes_of
from ._release import rules
from ._tensor import Tensor

if TYPE_CHECKING:
    from typing import Any

    import torch


ops = _C.ops


def _with_left(of_number, of_tensor):
    """The method of a reversed sign: one overload for a number on the left, another for a tensor."""
    return lambda self, other: (of_tensor if isinstance(other, Tensor) else of_number)(other, self)


def _power(self, base):
    """`base ** self` (torch/_tensor.py: __rpow__)."""
    number = not isinstance(base, Tensor)
    if rules.power_makes_base_a_tensor:
        return ops.pow(ops.scalar_tensor(base, self.dtype, self.device) if number else base.detach().clone(), self)
    return ops.pow_Scalar(base, self) if number else ops.pow(base, self)


for _sign, _function in _C.generate("operator").items():
    setattr(Tensor, _sign, _function)
_product = Tensor.__matmul__
Tensor.__matmul__ = lambda self, other: _product(self, other) if isinstance(other, Tensor) else NotImplemented
# Python in PyTorch, too (torch/_tensor.py): a number divided by a tensor is its reciprocal times the number
Tensor.__rtruediv__ = Tensor.__rdiv__ = lambda self, other: ops.mul(ops.reciprocal(self), other)
Tensor.__rfloordiv__ = lambda self, other: ops.floor_divide(other, self)
Tensor.__rmod__ = _with_left(ops.remainder_Scalar_Tensor, ops.remainder)
Tensor.__rpow__ = _power
Tensor.__rmatmul__ = lambda self, other: ops.matmul(other, self)
Tensor.__rlshift__ = lambda self, other: ops.bitwise_left_shift_Scalar_Tensor(other, self)
Tensor.__rrshift__ = lambda self, other: ops.bitwise_right_shift_Scalar_Tensor(other, self)
Tensor.__pos__ = lambda self: self


def __invert__(self: Tensor) -> Tensor:
    if self.is_floating_point() or self.is_complex():
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return ops.bitwise_not(self)


Tensor.__invert__ = _C.compiled(__invert__)
Tensor.__round__ = lambda self, n=0: ops.round_decimals(self, n) if n else ops.round(self)

for _name, _method in _functional.methods().items():
    setattr(Tensor, _name, _method)
Tensor.type = _typed_tensors.type_


Tensor.new = lambda self, *size: ops.empty(sizes_of(size) if size else (0,), self.dtype, self.device)


def new_tensor(
    self: Tensor,
    data: Any,
    *,
    dtype: torch.dtype | None = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool = False,
) -> Tensor:
    return _literals.tensor(
        data, dtype=dtype or self.dtype, device=self.device if device is None else device, requires_grad=requires_grad
    )


Tensor.new_tensor = new_tensor

Tensor.T = property(
    lambda self: (
        ops.permute(self, tuple(range(self.dim() - 1, -1, -1))) if self.dim() != 2 else ops.permute(self, (1, 0))
    )
)


def _matrices(self, name):
    if self.dim() < 2:
        raise RuntimeError(
            f"tensor.{name} is only supported on matrices or batches of matrices. Got {self.dim()}-D tensor."
        )
    return ops.transpose(self, -2, -1)


def _conjugate_transpose(self):
    if self.dim() not in (0, 2):
        raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {self.dim()}-D tensor.")
    return ops.conj(ops.transpose(self, 0, 1)) if self.dim() == 2 else self


Tensor.mT = property(lambda self: _matrices(self, "mT"))
Tensor.H = property(_conjugate_transpose)
Tensor.mH = property(lambda self: ops.conj(_matrices(self, "mH")))
Tensor.real = property(lambda self: ops.real(self))
Tensor.imag = property(lambda self: ops.imag(self))


Tensor.apply_ = lambda self, f: self
Tensor.map_ = lambda self, other, f: self
Tensor.element = Tensor.item
Tensor.__hash__ = lambda self: id(self)
