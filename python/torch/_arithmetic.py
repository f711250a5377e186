"""Products in Einstein's words, and functions whose answer or form Python decides: equal, allclose, normal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C
from ._arguments import drawing
from ._creation import empty
from ._tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import torch


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
        ops.all(ops.eq(input, other))
    )  # compared on the device, read on the host (cuda_equal in cuda/Equal.cpp)


@_C.compiled
def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    return bool(ops.all(ops.isclose(input, other, rtol, atol, equal_nan)))


@_C.compiled
@drawing
def normal(
    mean: Tensor | float,
    std: Tensor | float = 1.0,
    size: Sequence[int] | None = None,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    if isinstance(mean, Tensor) or isinstance(std, Tensor):
        return ops.normal_Tensor_Tensor(mean, std)
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    t = empty(size, dtype=dtype, device=device)
    ops.normal_(t, mean, std)
    return t.requires_grad_() if requires_grad else t


METHODS = ("equal", "allclose")
