"""Functions over several tensors that are Python in PyTorch, too (torch/functional.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C
from ._types import Size

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


ops = _C.ops


def atleast_1d(t: Tensor) -> Tensor | tuple[Tensor, ...]:
    return ops.reshape(t, (1,)) if t.dim() == 0 else t


def atleast_2d(t: Tensor) -> Tensor | tuple[Tensor, ...]:
    return ops.reshape(t, (1, 1)) if t.dim() == 0 else ops.unsqueeze(t, 0) if t.dim() == 1 else t


def atleast_3d(t: Tensor) -> Tensor | tuple[Tensor, ...]:
    if t.dim() == 0:
        return ops.reshape(t, (1, 1, 1))
    return ops.unsqueeze(ops.unsqueeze(t, 0), -1) if t.dim() == 1 else ops.unsqueeze(t, -1) if t.dim() == 2 else t


def broadcast_shapes(*shapes: Any) -> Sequence[int]:
    n = max((len(s) for s in shapes), default=0)
    out = [1] * n
    for s in shapes:
        for i, v in enumerate(reversed(s)):
            have = out[n - 1 - i]
            if have != 1 and v != 1 and have != v:
                raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape")
            out[n - 1 - i] = v if have == 1 else have
    return Size(out)


def _expanded(a, b):
    """The common shape of two, as compiled code words it when there is none."""
    n = max(len(a), len(b))
    a, b = (1,) * (n - len(a)) + tuple(a), (1,) * (n - len(b)) + tuple(b)
    for i in range(n - 1, -1, -1):
        if a[i] != b[i] and a[i] != 1 and b[i] != 1:
            raise RuntimeError(
                f"The size of tensor a ({a[i]}) must match the size of tensor b ({b[i]}) at non-singleton dimension {i}"
            )
    return Size(y if x == 1 else x for x, y in zip(a, b))


def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    tensors = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    shape = ()
    for t in tensors:
        shape = _expanded(shape, t.shape)
    return tuple(t if t.shape == shape else ops.expand(t, shape) for t in tensors)


def meshgrid(*tensors: Any, indexing: str | None = "ij") -> tuple[Tensor, ...] | list[Tensor]:
    tensors = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    if indexing == "xy" and len(tensors) >= 2:
        swapped = (tensors[1], tensors[0], *tensors[2:])
        return _swap(meshgrid(*swapped))
    for t in tensors:
        if t.dim() > 1:
            raise RuntimeError(f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {t}")
    shape = [t.numel() for t in tensors]
    return tuple(
        ops.expand(ops.view(t, [-1 if i == j else 1 for j in range(len(tensors))]), shape)
        for i, t in enumerate(tensors)
    )


def _swap(grids):
    return (grids[1], grids[0], *grids[2:])


def cartesian_prod(*tensors: Tensor) -> Tensor:
    if len(tensors) == 1:
        return tensors[0]
    return ops.stack([g.flatten() for g in meshgrid(*tensors)], 1)


def block_diag(*tensors: list[Tensor]) -> Tensor:
    for i, t in enumerate(tensors):
        if t.dim() > 2:
            raise RuntimeError(
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {t.dim()} dimensions"
            )
    return ops.block_diag(list(tensors))
