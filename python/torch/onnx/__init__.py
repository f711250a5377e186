"""torch.onnx: asked whether an export runs; nothing is exported."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


def export(*_: Any, **__: Any) -> NoReturn:
    raise RuntimeError("vramscope simulates memory and exports no ONNX files")


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
