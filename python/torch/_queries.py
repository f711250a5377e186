"""Questions about a tensor that Python answers without an op."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C
from ._tensor import Tensor

if TYPE_CHECKING:
    from typing import Any


def is_tensor(obj: object) -> Any:
    return isinstance(obj, Tensor)


def is_storage(obj: object) -> Any:
    return False


@_C.compiled
def is_floating_point(input: Tensor) -> bool:
    return input.dtype.is_floating_point


@_C.compiled
def is_complex(input: Tensor) -> bool:
    return input.dtype.is_complex


@_C.compiled
def is_conj(input: Tensor) -> bool:
    """Whether values are conjugated only when they are read."""
    return input.is_complex() and _C._js.isUnresolved(input._h)


@_C.compiled
def is_neg(input: Tensor) -> bool:
    return not input.is_complex() and _C._js.isUnresolved(input._h)


@_C.compiled
def is_nonzero(input: Tensor) -> bool:
    return bool(input)


@_C.compiled
def numel(input: Tensor) -> int:
    return input.numel()


@_C.compiled
def is_same_size(input: Tensor, other: Tensor) -> bool:
    return input.shape == other.shape


@_C.compiled
def is_inference(input: Tensor) -> bool:
    return input.is_inference()


METHODS = ("is_conj", "is_neg")
