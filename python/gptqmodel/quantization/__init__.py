"""How weights lie in a file, and the settings of a quantization. Quantizing a model is not simulated: it needs the weights' values."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any

__getattr__ = lacks("gptqmodel.quantization")

METHOD = enum.Enum("METHOD", {"GPTQ": "gptq", "AWQ": "awq", "QQQ": "qqq"}, type=str)
_FORMATS = ("gptq", "gptq_v2", "marlin", "gemm", "gemv", "gemv_fast", "llm_awq")
FORMAT = enum.Enum("FORMAT", {name.upper(): name for name in _FORMATS}, type=str)


class QuantizeConfig:
    """Settings by name."""

    def __init__(self, bits: int = 4, group_size: int = 128, **settings: Any) -> None:
        self.bits, self.group_size = bits, group_size
        self.__dict__.update(settings)


class GPTQ:
    """Calibrates one layer's weights in the package itself."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise NotImplementedError(
            "vramscope's stand-in for gptqmodel does not quantize: that needs the values of the weights. A checkpoint that is quantized "
            "already can be loaded"
        )
