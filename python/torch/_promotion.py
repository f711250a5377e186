"""Which dtype a mixture has, and which casts are allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C
from ._literals import tensor
from ._tensor import Tensor

if TYPE_CHECKING:
    from typing import Any

    import torch


ops = _C.ops


@_C.compiled
def result_type(a: Any, b: Any) -> torch.dtype:
    a, b = (ops.empty(x.shape, x.dtype, "meta") if isinstance(x, Tensor) else x for x in (a, b))
    if not isinstance(a, Tensor):
        a, b = b, a
    if isinstance(a, Tensor):
        return ops.add(a, b).dtype
    return tensor([a, b], device="meta").dtype


@_C.compiled
def promote_types(a: Any, b: Any) -> torch.dtype:
    return ops.add(ops.empty((1,), a, "meta"), ops.empty((1,), b, "meta")).dtype


@_C.compiled
def can_cast(a: Any, b: Any) -> bool:
    order = "bifc"
    kind = lambda d: "c" if d.is_complex else "f" if d.is_floating_point else "b" if d.name == "bool" else "i"
    return order.index(kind(a)) <= order.index(kind(b))
