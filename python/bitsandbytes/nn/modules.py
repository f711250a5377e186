"""Linear layers with 4-bit and 8-bit weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch._stand_ins import lacks

from .. import functional as F
from ..autograd._functions import MatmulLtState, matmul, matmul_4bit
from ..releases import is_past
from .parameters import Int8Params, Params4bit

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


__getattr__ = lacks("bitsandbytes.nn.modules")


def quant_state_of(module: torch.nn.Module) -> Any:
    """The weight's state; it is the module's where the weight lost it."""
    weight = module.weight
    if getattr(weight, "quant_state", None) is None:
        if module.quant_state is None:
            raise AssertionError(
                "quantization state not initialized. Please call .cuda() or .to(device) on the 4-bit layer first."
            )
        weight.quant_state = module.quant_state
    return weight.quant_state


class Linear4bit(nn.Linear):
    """Quantizes its weight when it moves to the GPU; computes in `compute_dtype`, or in that of its first input."""

    def __init__(
        self,
        input_features: Any,
        output_features: Any,
        bias: bool = True,
        compute_dtype: Any = None,
        compress_statistics: bool = True,
        quant_type: str = "fp4",
        quant_storage: torch.dtype = torch.uint8,
        device: torch.device | str | int | None = None,
    ) -> None:
        super().__init__(input_features, output_features, bias, device)
        self.weight = Params4bit(
            self.weight.data,
            requires_grad=False,
            compress_statistics=compress_statistics,
            quant_type=quant_type,
            quant_storage=quant_storage,
            module=None if is_past("weights_alone") else self,
        )
        self.compute_dtype = compute_dtype
        self.compute_type_is_set = compute_dtype is not None and not is_past("inputs_decide_type")
        self.quant_state, self.quant_storage = None, quant_storage

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        state = getattr(self.weight, "quant_state", None)
        if state is not None:
            for key, value in state.as_dict(packed=True).items():
                destination[f"{prefix}weight.{key}"] = value if keep_vars else value.detach()

    def forward(self, x: Tensor) -> Any:
        state = quant_state_of(self)
        if self.bias is not None and self.bias.dtype != x.dtype:
            self.bias.data = self.bias.data.to(x.dtype)
        if not self.compute_type_is_set:
            if x.dtype in (torch.float32, torch.bfloat16):
                self.compute_dtype = x.dtype
            self.compute_type_is_set = True
        before = x.dtype
        if self.compute_dtype is not None:
            x = x.to(self.compute_dtype)
        bias = None if self.bias is None else self.bias.to(self.compute_dtype or self.bias.dtype)
        return matmul_4bit(x, self.weight.t(), bias=bias, quant_state=state).to(before)


class LinearFP4(Linear4bit):
    def __init__(
        self,
        input_features: Any,
        output_features: Any,
        bias: bool = True,
        compute_dtype: Any = None,
        compress_statistics: bool = True,
        quant_storage: torch.dtype = torch.uint8,
        device: torch.device | str | int | None = None,
    ) -> None:
        super().__init__(
            input_features, output_features, bias, compute_dtype, compress_statistics, "fp4", quant_storage, device
        )


class LinearNF4(Linear4bit):
    def __init__(
        self,
        input_features: Any,
        output_features: Any,
        bias: bool = True,
        compute_dtype: Any = None,
        compress_statistics: bool = True,
        quant_storage: torch.dtype = torch.uint8,
        device: torch.device | str | int | None = None,
    ) -> None:
        super().__init__(
            input_features, output_features, bias, compute_dtype, compress_statistics, "nf4", quant_storage, device
        )


class Linear8bitLt(nn.Linear):
    """LLM.int8(). With has_fp16_weights (the default) the weight stays as it is and is quantized at every training forward."""

    def __init__(
        self,
        input_features: Any,
        output_features: Any,
        bias: bool = True,
        has_fp16_weights: bool = True,
        threshold: float = 0.0,
        index: int | None = None,
        device: torch.device | str | int | None = None,
    ) -> None:
        super().__init__(input_features, output_features, bias, device)
        self.state = MatmulLtState()
        self.index = index
        self.state.threshold, self.state.has_fp16_weights = threshold, has_fp16_weights
        self.state.use_pool = threshold > 0.0 and not has_fp16_weights
        self.weight = Int8Params(self.weight.data, has_fp16_weights=has_fp16_weights, requires_grad=has_fp16_weights)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        if self.state.has_fp16_weights:
            return
        scales = self.weight.SCB if self.weight.SCB is not None else self.state.SCB
        if scales is not None:
            destination[f"{prefix}SCB"] = scales if keep_vars else scales.detach()
            destination[f"{prefix}weight_format"] = torch.tensor(0, dtype=torch.uint8)

    def init_8bit_state(self) -> None:
        self.state.CB, self.state.SCB = self.weight.CB, self.weight.SCB
        self.weight.CB = self.weight.SCB = None

    def forward(self, x: Tensor) -> Any:
        self.state.is_training = self.training
        if self.weight.CB is not None:
            self.init_8bit_state()
        if self.bias is not None and self.bias.dtype != x.dtype:
            self.bias.data = self.bias.data.to(x.dtype)
        out = matmul(x, self.weight, bias=self.bias, state=self.state)
        if not self.state.has_fp16_weights and self.state.CB is not None:
            if self.state.CxB is not None:  # in tiles from now on: see releases
                self.state.CB = None
            self.weight.data = self.state.CB if self.state.CxB is None else self.state.CxB
        return out
