"""torch._jit_internal: the marks that packages put on functions for TorchScript, which compiles nothing here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._stand_ins import lacks

if TYPE_CHECKING:
    from collections.abc import Callable


def _copy_to_script_wrapper(fn: Callable) -> Callable:
    fn._torchscript_modifier = "COPY_TO_SCRIPT_WRAPPER"
    return fn


__getattr__ = lacks("torch._jit_internal")
