"""
Kernels that unpack a layer's whole weight [inputs, outputs] before cuBLAS multiplies it, and through which a gradient flows.

gptqmodel/nn_modules/qlinear/tritonv2.py: TritonV2Linear; torch.py: TorchLinear, whose unpacking torch.compile makes one kernel of;
triton_utils/dequant.py: QuantLinearFunction; gemm_awq.py: AwqGEMMLinear, WQLinearMMFunction
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import BaseQuantLinear

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class _Unpacking(BaseQuantLinear):
    SUPPORTS_TRAINING = True

    def unpacked(self, dtype: torch.dtype) -> Tensor:
        return torch.empty(self.in_features, self.out_features, dtype=dtype, device=self.qweight.device)


class _Product(torch.autograd.Function):
    """The unpacked weight is made anew for backward."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, layer: Any) -> Tensor:
        ctx.layer = layer
        return x @ layer.unpacked(x.dtype)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        return grad @ ctx.layer.unpacked(grad.dtype).t() if ctx.needs_input_grad[0] else None, None


class TritonV2Linear(_Unpacking):
    """2, 3, 4 or 8 bits. While it trains TorchLinear's code runs, and the product keeps the unpacked weight for backward."""

    REQUIRES_FORMAT_V2 = True

    def forward(self, x: Tensor) -> Tensor:
        rows = x.reshape(-1, x.shape[-1])
        if self.training:
            weight = self.unpacked(self.scales.dtype)
            output = torch.matmul(rows, weight if weight.dtype == x.dtype else weight.to(x.dtype))
        else:
            output = _Product.apply(rows, self)
        return self.biased(output.reshape(*x.shape[:-1], self.out_features))


class _AwqProduct(torch.autograd.Function):
    """Many rows are multiplied by the unpacked weight, few by a kernel in eight parts, which are summed. gemm_awq.py: AwqGemmFn"""

    parts, rows_of_kernel = 8, 1024

    @staticmethod
    def forward(ctx: Any, x: Tensor, layer: Any) -> Tensor:
        ctx.layer = layer
        ctx.save_for_backward(x, layer.qweight, layer.qzeros, layer.scales, layer.bias)
        rows = x.reshape(-1, x.shape[-1])
        if rows.shape[0] > _AwqProduct.rows_of_kernel:
            output = torch.matmul(x, layer.unpacked(torch.float16).to(x.dtype))
        else:
            sizes = (_AwqProduct.parts, rows.shape[0], layer.out_features)
            output = torch.empty(sizes, dtype=torch.float16, device=x.device).sum(0)
        output = output if layer.bias is None else output + layer.bias
        return output.reshape(*x.shape[:-1], layer.out_features)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        _kept = ctx.saved_tensors
        weight = ctx.layer.unpacked(torch.float16).to(grad.dtype)
        if not ctx.needs_input_grad[0]:
            return None, None
        # a copy of the weight for each sequence
        return grad.bmm(weight.transpose(0, 1).unsqueeze(0).repeat(grad.shape[0], 1, 1)), None


class AwqGEMMLinear(_Unpacking):
    """AWQ's weights, through which a gradient flows."""

    along_outputs = True
    has_order = False

    def forward(self, x: Tensor) -> Tensor:
        states = x if x.dtype == torch.float16 else x.half()
        output = _AwqProduct.apply(states, self)
        return output if output.dtype == x.dtype else output.to(x.dtype)
