"""SymInt and its like, which exist only while code is traced, and the functions that also take plain numbers."""

from __future__ import annotations

import builtins
import math

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


class SymInt:
    """A size that is not known while code is traced; no plain number is one."""

    def __init__(self, node: Any) -> None:
        self.node = node


class SymFloat(SymInt):
    """A number that is not known while code is traced."""


class SymBool(SymInt):
    """A truth that is not known while code is traced."""


for _kind in (SymInt, SymFloat, SymBool):
    _kind.__module__ = "torch"


def sym_not(a: object) -> bool:
    return not a


def sym_float(a: object) -> Any:
    return builtins.float(a)


def sym_int(a: object) -> int:
    return builtins.int(a)


def sym_max(a: int | float, b: int | float) -> int | float:
    return builtins.max(a, b)


def sym_min(a: int | float, b: int | float) -> int | float:
    return builtins.min(a, b)


def sym_sum(args: Sequence[int]) -> int:
    return builtins.sum(args)


def sym_ite(b: bool, t: Tensor, f: Tensor) -> Tensor:
    return t if b else f


def sym_fresh_size(expr: int) -> int:
    raise TypeError("sym_fresh_size is only meant within a trace")


def sym_sqrt(a: Any) -> Any:
    return math.sqrt(a)


class Tag(Enum):
    """What an operator promises to tracers."""

    core = "core"
    data_dependent_output = "data_dependent_output"
    dynamic_output_shape = "dynamic_output_shape"
    flexible_layout = "flexible_layout"
    generated = "generated"
    inplace_view = "inplace_view"
    maybe_aliasing_or_mutating = "maybe_aliasing_or_mutating"
    needs_exact_strides = "needs_exact_strides"
    needs_fixed_stride_order = "needs_fixed_stride_order"
    needs_contiguous_strides = "needs_contiguous_strides"
    nondeterministic_bitwise = "nondeterministic_bitwise"
    nondeterministic_seeded = "nondeterministic_seeded"
    pointwise = "pointwise"
    pt2_compliant_tag = "pt2_compliant_tag"
    reduction = "reduction"
    view_copy = "view_copy"


def _raise(kind, cond, message):
    if not cond:
        raise kind("Expected cond to be True, but got False" if message is None else str(message()))


def _check(cond, message=None):
    _raise(RuntimeError, cond, message)


def _check_index(cond, message=None):
    _raise(IndexError, cond, message)


def _check_value(cond, message=None):
    _raise(ValueError, cond, message)


def _check_type(cond, message=None):
    _raise(TypeError, cond, message)


def _check_not_implemented(cond, message=None):
    _raise(NotImplementedError, cond, message)


def _check_with(error_type, cond, message):
    _raise(error_type, cond, message)


def _check_is_size(i, message=None, *, max=None):
    _raise(RuntimeError, i >= 0 and (max is None or i <= max), message)


def _check_tensor_all_with(error_type, cond, message=None):
    _raise(error_type, cond.all().item(), message)


def _check_tensor_all(cond, message=None):
    _check_tensor_all_with(RuntimeError, cond, message)


def _is_all_true(tensor):
    return tensor.all()


def _is_any_true(tensor):
    return tensor.any()


def _assert_async(tensor, message=None):
    """The device checks; nothing is read."""


def public() -> dict:
    """All names that torch has of this file."""
    skip = {"builtins", "math", "Enum", "public", "_raise", "_kind"}
    return {n: v for n, v in globals().items() if n not in skip and not n.startswith("__")}
