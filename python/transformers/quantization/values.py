"""Linear layers whose weights are values of 4 or 8 bits with scales: FP8 by blocks, torchao, HQQ, EETQ, quanto."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class ScaledLinear(nn.Module):
    """
    A matrix [outputs, inputs] of few bits with its scales, made of a linear layer's weight on the GPU, or as a checkpoint has it.

    `quantize` gets the weight and gives the tensors to keep by name, `weight` first.
    """

    def __init__(self, linear: Any, config: Any) -> None:
        super().__init__()
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self.config, self.dtype = config, linear.weight.dtype
        self._source = linear.weight.data
        self.bias = linear.bias

    def finish(self, device: torch.device | str | int) -> None:
        """Loads the layer: one whose checkpoint is not quantized comes whole first."""
        if self.config.pre_quantized:
            found = self.quantize(self._source)
            found = {name: tensor.to(device) for name, tensor in found.items()}
        else:
            found = self.quantize(self._source.to(device))
        for name, tensor in found.items():
            self.register_buffer(name, tensor)
        del self._source

    def _with_bias(self, output):
        return output if self.bias is None else output.add_(self.bias)


def _float8(like, *shape):
    return torch.empty(shape, dtype=torch.float8_e4m3fn, device=like.device)


class BlockFloat8Linear(ScaledLinear):
    """Inputs become 8 bits with a float32 scale per token and 128 values; weights have one per block.
    transformers/integrations/finegrained_fp8.py: FP8Linear; deepgemm.py: deepgemm_fp8_fp4_linear"""

    def quantize(self, weight: Tensor) -> dict:
        outputs, inputs = weight.shape
        block = self.config.weight_block_size
        scales = (1,) if block is None else (-(-outputs // block[0]), -(-inputs // block[1]))
        return {
            "weight": _float8(weight, outputs, inputs),
            "weight_scale_inv": torch.empty(scales, dtype=torch.float32, device=weight.device),
        }

    def forward(self, x: Tensor) -> Any:
        rows = x.reshape(-1, x.shape[-1])
        _narrow = _float8(x, *rows.shape)
        _scales = torch.empty(rows.shape[0], -(-rows.shape[1] // 128), dtype=torch.float32, device=x.device)
        output = torch.empty(rows.shape[0], self.out_features, dtype=x.dtype, device=x.device)
        return self._with_bias(output.reshape(*x.shape[:-1], self.out_features))


class Int8WeightLinear(ScaledLinear):
    """torchao's Int8WeightOnlyConfig without compilation: the weight is cast for each product.
    torchao/dtypes/uintx/plain_layout.py: _linear_fp_act_int8_weight_impl"""

    def quantize(self, weight: Tensor) -> dict:
        return {
            "weight": torch.empty(weight.shape, dtype=torch.int8, device=weight.device),
            "scale": torch.empty(weight.shape[0], dtype=weight.dtype, device=weight.device),
        }

    def forward(self, x: Tensor) -> Any:
        weight = self.weight.t()
        product = torch.mm(x.reshape(-1, x.shape[-1]), weight.to(x.dtype))
        output = product * self.scale.to(product.dtype)
        output = output.reshape(*x.shape[:-1], output.shape[-1])
        return self._with_bias(output)


class Int8DynamicLinear(Int8WeightLinear):
    """torchao's Int8DynamicActivationInt8WeightConfig: inputs become 8 bits with a scale per token, products are 32-bit integers.
    torchao/dtypes/uintx/plain_layout.py: _linear_int8_act_int8_weight_impl; torchao/kernel/intmm.py"""

    def forward(self, x: Tensor) -> Any:
        narrow = torch.empty(x.shape, dtype=torch.int8, device=x.device)
        scales = torch.empty((*x.shape[:-1], 1), dtype=torch.float32, device=x.device)
        product = torch.empty(x.numel() // x.shape[-1], self.out_features, dtype=torch.int32, device=x.device)
        product = product * scales.reshape(-1, 1)
        output = (product * self.scale).reshape(*narrow.shape[:-1], self.out_features)
        output = output.to(x.dtype)
        return self._with_bias(output)


class Int4WeightLinear(ScaledLinear):
    """torchao's Int4WeightOnlyConfig: tinygemm's tiles, inputs a multiple of 1,024, a scale and a zero in bfloat16 per group.
    torchao/dtypes/uintx/tensor_core_tiled_layout.py"""

    multiple = 1024

    def quantize(self, weight: Tensor) -> dict:
        outputs, inputs = weight.shape
        inputs = -(-inputs // self.multiple) * self.multiple
        outputs = -(-outputs // 8) * 8
        groups = inputs // self.config.group_size
        return {
            "weight": torch.empty(outputs, inputs // 8, dtype=torch.int32, device=weight.device),
            "scale_and_zero": torch.empty(groups, outputs, 2, dtype=torch.bfloat16, device=weight.device),
        }

    def forward(self, x: Tensor) -> Any:
        rows = x.reshape(-1, x.shape[-1]).to(torch.bfloat16)
        padding = self.weight.shape[1] * 8 - rows.shape[1]
        if padding:
            rows = F.pad(rows, (0, padding))
        output = torch.empty(rows.shape[0], self.out_features, dtype=torch.bfloat16, device=x.device)
        output = output.reshape(*x.shape[:-1], self.out_features)
        return self._with_bias(output.to(x.dtype))


class Float8WeightLinear(ScaledLinear):
    """torchao's Float8WeightOnlyConfig: the weight is undone for each product. torchao/dtypes/floatx/float8_layout.py"""

    def quantize(self, weight: Tensor) -> dict:
        return {
            "weight": _float8(weight, *weight.shape),
            "scale": torch.empty(weight.shape[0], 1, dtype=torch.float32, device=weight.device),
        }

    def forward(self, x: Tensor) -> Any:
        return F.linear(x, (self.weight.to(torch.float32) * self.scale).to(x.dtype), self.bias)


class Float8DynamicLinear(Float8WeightLinear):
    """torchao's Float8DynamicActivationFloat8WeightConfig: inputs in 8 bits, one product of both.
    torchao/dtypes/floatx/float8_layout.py: _linear_fp8_act_fp8_weight_impl"""

    def forward(self, x: Tensor) -> Any:
        rows = x.reshape(-1, x.shape[-1])
        _narrow = _float8(x, *rows.shape)
        _scale = torch.empty(rows.shape[0], 1, dtype=torch.float32, device=x.device)
        output = torch.empty(rows.shape[0], self.out_features, dtype=x.dtype, device=x.device)
        return self._with_bias(output.reshape(*x.shape[:-1], self.out_features))


class HqqLinear(ScaledLinear):
    """HQQ with its backend of PyTorch's operators: unpacked, moved and scaled for each product. hqq/core/quantize.py"""

    def quantize(self, weight: Tensor) -> dict:
        values = weight.numel()
        groups = -(-values // self.config.group_size)
        return {
            "weight": torch.empty(-(-values * self.config.bits // 8), dtype=torch.uint8, device=weight.device),
            "scale": torch.empty(groups, 1, dtype=weight.dtype, device=weight.device),
            "zero": torch.empty(groups, 1, dtype=weight.dtype, device=weight.device),
        }

    def forward(self, x: Tensor) -> Any:
        groups = self.scale.shape[0]
        wide = torch.empty(
            groups, self.out_features * self.in_features // groups, dtype=self.scale.dtype, device=x.device
        )
        wide = ((wide - self.zero) * self.scale).reshape(self.out_features, self.in_features)
        output = torch.matmul(x, wide.t())
        return self._with_bias(output)


class EetqLinear(ScaledLinear):
    """EETQ: 8 bits and a scale per output, multiplied as they are. transformers/integrations/eetq.py: EetqLinear"""

    def quantize(self, weight: Tensor) -> dict:
        return {
            "weight": torch.empty(weight.shape, dtype=torch.int8, device=weight.device),
            "weight_scales": torch.empty(weight.shape[0], dtype=torch.float16, device=weight.device),
        }

    def forward(self, x: Tensor) -> Any:
        output = torch.empty(*x.shape[:-1], self.out_features, dtype=x.dtype, device=x.device)
        return output if self.bias is None else output + self.bias


class QuantoLinear(Int8WeightLinear):
    """quanto: 8 bits with a scale per output, 4 bits with a scale and a shift per group of 128; 4 bits are undone for each product.
    optimum/quanto/nn/qlinear.py, tensor/weights/qbits.py"""

    def quantize(self, weight: Tensor) -> Any:
        if self.config.bits == 8:
            return super().quantize(weight)
        groups = -(-weight.numel() // 128)
        return {
            "weight": torch.empty(weight.shape[0] // 2, weight.shape[1], dtype=torch.uint8, device=weight.device),
            "scale": torch.empty(groups, 1, dtype=weight.dtype, device=weight.device),
            "shift": torch.empty(groups, 1, dtype=weight.dtype, device=weight.device),
        }

    def forward(self, x: Tensor) -> Any:
        if self.config.bits == 8:
            return super().forward(x)
        wide = torch.empty(self.out_features, self.in_features, dtype=x.dtype, device=x.device)
        return F.linear(x, wide, self.bias)


BY_TORCHAO = {
    "int8_weight_only": Int8WeightLinear,
    "int8_dynamic_activation_int8_weight": Int8DynamicLinear,
    "int4_weight_only": Int4WeightLinear,
    "float8_weight_only": Float8WeightLinear,
    "float8_dynamic_activation_float8_weight": Float8DynamicLinear,
}
