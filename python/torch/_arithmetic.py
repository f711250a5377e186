"""Products in Einstein's words."""

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
