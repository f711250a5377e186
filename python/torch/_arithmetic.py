"""Products in Einstein's words, and functions whose answer Python gives: equal, allclose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C
from ._tensor import Tensor

if TYPE_CHECKING:
    from typing import Any


ops = _C.ops


def einsum(equation: str, *operands: Any) -> Tensor:
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    return ops.einsum(equation, operands)


def tensordot(
    a: Any, b: Any, dims: int | tuple[list[int], list[int]] | list[list[int]] | Tensor = 2, out: Tensor | None = None
) -> Tensor:
    if isinstance(dims, int):
        first, second = list(range(-dims, 0)), list(range(dims))
    else:
        first, second = dims
        first = [first] if isinstance(first, int) else list(first)
        second = [second] if isinstance(second, int) else list(second)
    return ops.tensordot(a, b, first, second)


def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    matrices = matrices[0] if len(matrices) == 1 and isinstance(matrices[0], (list, tuple)) else matrices
    return ops.linalg_multi_dot(list(matrices)) if len(matrices) > 1 else matrices[0]


@_C.compiled
def equal(input: Tensor, other: Tensor) -> bool:
    if input.shape != other.shape:
        return False
    if input is other or input.numel() == 0:
        return True
    return bool(
        ops.all(ops._equal_eq(input, other))
    )  # compared on the device, read on the host (cuda_equal in cuda/Equal.cpp)


@_C.compiled
def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    return bool(ops.all(ops.isclose(input, other, rtol, atol, equal_nan)))


METHODS = ("equal", "allclose")
