"""Which layer class runs a model's weights. gptqmodel/utils/importer.py: hf_select_quant_linear_v2, select_quant_linear"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import note

from ..nn_modules.qlinear.marlin import AwqMarlinLinear, MarlinLinear
from ..nn_modules.qlinear.unpacking import AwqGEMMLinear, TritonV2Linear
from ..quantization import METHOD
from .backend import BACKEND

if TYPE_CHECKING:
    from typing import Any

# The layers of each method: for what only runs, where its kernel can, and for what trains.
_LAYERS = {
    METHOD.GPTQ: (MarlinLinear, TritonV2Linear),
    METHOD.AWQ: (AwqMarlinLinear, AwqGEMMLinear),
}
_TRAINING = ("auto_trainable", "gptq_triton", "gptq_torch", "triton", "torch", "awq_gemm", "gemm", "awq_torch")


def _runs_in_marlin(bits: int, group_size: int, sym: bool, method: Any) -> bool:
    """MarlinLinear and AwqMarlinLinear: SUPPORTS_BITS, SUPPORTS_GROUP_SIZE, SUPPORTS_SYM"""
    return bits in (4, 8) and group_size in (-1, 32, 64, 128) and (sym or method is METHOD.AWQ)


def hf_select_quant_linear_v2(
    bits: int,
    group_size: int,
    desc_act: bool,
    sym: bool,
    format: Any = "gptq",
    quant_method: Any = METHOD.GPTQ,
    zero_point: bool | None = None,
    backend: Any = None,
    **_: Any,
) -> Any:
    """The class; ValueError where a method has none here."""
    method = METHOD(str(getattr(quant_method, "value", quant_method)).lower())
    if method not in _LAYERS:
        raise ValueError(f"Unsupported quantization method: `{method.value}`")
    runs, trains = _LAYERS[method]
    name = str(getattr(backend, "value", backend) or BACKEND.AUTO.value).lower()
    kind = trains if name in _TRAINING or not _runs_in_marlin(bits, group_size, sym, method) else runs
    note("gptqmodel_kernel", "method", method.value, kernel=kind.__name__)
    return kind


def hf_select_quant_linear(
    bits: int, group_size: int, desc_act: bool, sym: bool, checkpoint_format: Any = "gptq", **more: Any
) -> Any:
    """As former releases of transformers and peft ask."""
    return hf_select_quant_linear_v2(bits, group_size, desc_act, sym, checkpoint_format, **more)
