"""torch.onnx.symbolic_helper: decorators of functions that an export would call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def parse_args(*arg_descriptors: Any) -> Callable[[Callable], Callable]:
    return lambda fn: fn


__getattr__ = lacks("torch.onnx.symbolic_helper")
