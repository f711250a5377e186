"""torch.onnx: asked whether an export runs; nothing is exported."""

from enum import Enum


def export(*_, **__):
    raise RuntimeError("vramscope simulates memory and exports no ONNX files")


dynamo_export = export


def is_in_onnx_export():
    return False


def is_onnxrt_backend_supported():
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


def register_custom_op_symbolic(symbolic_name, symbolic_fn, opset_version, custom_opsets=None):
    """Kept for an export, which never comes."""


def unregister_custom_op_symbolic(symbolic_name, opset_version):
    pass
