"""Parameters that quantize themselves when they move to the GPU: the whole weight is there for a moment."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks
from torch.nn.modules._module_convert import parse_to

from .. import _constants as constants
from .. import functional as F
from ..autograd._tiled import double_quant
from ..releases import is_past

if TYPE_CHECKING:
    from typing import Any, Self

    from torch import Tensor


__getattr__ = lacks("bitsandbytes.nn.parameters")


class _MovesByTo(torch.nn.Parameter):
    """A parameter that knows one way to another device, whichever way it is asked."""

    def cpu(self) -> Any:
        return self.to(device="cpu")

    def cuda(self, device: torch.device | str | int | None = None, non_blocking: bool = False) -> Any:
        return self.to(device="cuda" if device is None else device, non_blocking=non_blocking)


class Params4bit(_MovesByTo):
    """Two values to a byte, as a column; `quant_state` has what undoes it."""

    def __new__(
        cls,
        data: Tensor | None = None,
        requires_grad: bool = False,
        quant_state: Any = None,
        blocksize: int | None = None,
        compress_statistics: bool = True,
        quant_type: str = "fp4",
        quant_storage: torch.dtype = torch.uint8,
        module: torch.nn.Module | None = None,
        bnb_quantized: bool = False,
    ) -> Self:
        self = torch.Tensor._make_subclass(cls, torch.empty(0) if data is None else data, requires_grad)
        self.blocksize = blocksize or constants.BLOCK_OF_4BIT
        self.compress_statistics, self.quant_type, self.quant_storage = compress_statistics, quant_type, quant_storage
        self.quant_state, self.bnb_quantized, self.module = quant_state, bnb_quantized, module
        return self

    def _quantize(self, device):
        weight = self.data.contiguous()
        weight = (weight.half() if is_past("quantized_from_half") else weight).to(device)
        packed, state = F.quantize_4bit(
            weight,
            blocksize=self.blocksize,
            compress_statistics=self.compress_statistics,
            quant_type=self.quant_type,
            quant_storage=self.quant_storage,
        )
        self.data = packed
        self.quant_state = state
        if self.module is not None:
            self.module.quant_state = state
        self.bnb_quantized = True
        return self

    def to(self, *args: Any, **kwargs: Any) -> Params4bit | Self:
        device, dtype, non_blocking, _ = parse_to(*args, **kwargs)
        if device is not None and device.type != "meta" and not self.bnb_quantized:
            return self._quantize(device)
        if self.quant_state is not None and device is not None:
            self.quant_state.to(device)
        return Params4bit(
            super().to(device=device, dtype=dtype, non_blocking=non_blocking),
            requires_grad=self.requires_grad,
            quant_state=self.quant_state,
            blocksize=self.blocksize,
            compress_statistics=self.compress_statistics,
            quant_type=self.quant_type,
            quant_storage=self.quant_storage,
            bnb_quantized=self.bnb_quantized,
        )

    @classmethod
    def from_prequantized(
        cls,
        data: Tensor,
        quantized_stats: Any,
        requires_grad: bool = False,
        device: str = "cuda",
        module: torch.nn.Module | None = None,
        **kwargs: Any,
    ) -> Self:
        self = cls(
            data.to(device),
            requires_grad,
            quant_state=F.QuantState.from_dict(quantized_stats, device, module),
            module=module,
            bnb_quantized=True,
        )
        self.blocksize, self.quant_type = self.quant_state.blocksize, self.quant_state.quant_type
        self.compress_statistics, self.quant_storage = self.quant_state.nested, data.dtype
        if module is not None:
            module.quant_state = self.quant_state
        return self

    def __deepcopy__(self, memo: Any) -> Params4bit:
        result = Params4bit(
            self.data.clone(),
            self.requires_grad,
            copy.deepcopy(self.quant_state, memo),
            self.blocksize,
            self.compress_statistics,
            self.quant_type,
            self.quant_storage,
            self.module,
            self.bnb_quantized,
        )
        memo[id(self)] = result
        return result


class Int8Params(_MovesByTo):
    """int8 with a float32 per row (`SCB`), unless has_fp16_weights."""

    def __new__(
        cls,
        data: Tensor | None = None,
        requires_grad: bool = True,
        has_fp16_weights: bool = False,
        CB: Any = None,
        SCB: Any = None,
    ) -> Self:
        self = torch.Tensor._make_subclass(cls, torch.empty(0) if data is None else data, requires_grad)
        self.CB, self.SCB, self.has_fp16_weights = CB, SCB, has_fp16_weights
        return self

    def _quantize(self, device):
        if self.has_fp16_weights:
            return super().to(device)
        weight = self.data.contiguous().to(device=device, dtype=torch.float16)
        if is_past("tiles"):
            self.CB, _, self.SCB, _ = double_quant(weight)
        else:
            self.CB, self.SCB, _ = F.int8_vectorwise_quant(weight)
        self.data = self.CB
        return self

    def to(self, *args: Any, **kwargs: Any) -> Any:
        device, dtype, non_blocking, _ = parse_to(*args, **kwargs)
        quantized = self.data.dtype == torch.int8
        if not quantized and device is not None and device.type != "meta" and self.data.device.type == "cpu":
            return self._quantize(device)
        moved = Int8Params(
            super().to(device=device, dtype=dtype, non_blocking=non_blocking),
            requires_grad=self.requires_grad,
            has_fp16_weights=self.has_fp16_weights,
        )
        if quantized:
            moved.CB = moved.data
            if device is not None and self.SCB is not None:
                moved.SCB = self.SCB.to(device)
        return moved

    def __deepcopy__(self, memo: Any) -> Int8Params:
        result = Int8Params(
            self.data.clone(),
            self.requires_grad,
            self.has_fp16_weights,
            copy.deepcopy(self.CB, memo),
            copy.deepcopy(self.SCB, memo),
        )
        memo[id(self)] = result
        return result
