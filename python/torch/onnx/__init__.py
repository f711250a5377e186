"""torch.onnx: an export runs the model once, as tracing does, and leaves an empty file behind."""

from __future__ import annotations

import os
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def export(
    model: Any,
    args: Any = (),
    f: Any = None,
    *rest: Any,
    kwargs: dict | None = None,
    dynamo: bool | None = None,
    **_: Any,
) -> None:
    """Without gradients and in evaluation, as torch/onnx/utils.py traces; what `dynamo=True` exports takes nothing on the device."""
    from torch import nn, no_grad

    from .._stand_ins import note

    note("onnx_export")
    if isinstance(f, (str, os.PathLike)):
        with open(f, "wb"):
            pass
    if dynamo or not isinstance(model, nn.Module):
        return
    *inputs, named = (
        args if isinstance(args, (tuple, list)) and args and isinstance(args[-1], dict) else (*_listed(args), {})
    )
    modes = {module: module.training for module in model.modules()}
    try:
        model.eval()
        with no_grad():
            model(*inputs, **{**named, **(kwargs or {})})
    finally:
        for module, training in modes.items():
            module.training = training


def _listed(args):
    return tuple(args) if isinstance(args, (tuple, list)) else (args,)


dynamo_export = export


def is_in_onnx_export() -> bool:
    return False


def is_onnxrt_backend_supported() -> bool:
    return False


class TrainingMode(Enum):
    EVAL = 0
    PRESERVE = 1
    TRAINING = 2


class OperatorExportTypes(Enum):
    ONNX = 0
    ONNX_ATEN = 1
    ONNX_ATEN_FALLBACK = 2
    ONNX_FALLTHROUGH = 3


def register_custom_op_symbolic(
    symbolic_name: str, symbolic_fn: Callable, opset_version: int, custom_opsets: Any = None
) -> None:
    """Kept for an export, which never comes."""


def unregister_custom_op_symbolic(symbolic_name: str, opset_version: int) -> None:
    pass
