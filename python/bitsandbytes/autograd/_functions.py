"""Products with quantized weights: what they keep for backward and what they undo on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

from .. import functional as F
from ..releases import is_past
from ._tiled import TiledMatMul8bitLt

if TYPE_CHECKING:
    from typing import Any

    from torch.autograd.function import FunctionCtx
    from torch import Tensor


__getattr__ = lacks("bitsandbytes.autograd._functions")


class MatmulLtState:
    """A layer's int8 weight and its float32 per row, and how to multiply."""

    def __init__(self) -> None:
        self.reset_grads()
        self.idx = None
        self.threshold = 0.0
        self.is_training = True
        self.has_fp16_weights = True
        self.use_pool = False
        self.force_no_igemmlt = False

    def reset_grads(self) -> None:
        self.CB = self.SCB = None
        # what releases with tiles kept besides
        self.CxB = self.CBt = self.CxBt = self.SCBt = self.indices = None


def _flat_grad(grad):
    return grad.reshape(-1, grad.shape[-1]).contiguous() if grad.dim() == 3 else grad


class MatMul8bitLt(torch.autograd.Function):
    """LLM.int8(): A is quantized by rows on the way; A itself is kept where a gradient is needed."""

    @staticmethod
    def forward(
        ctx: FunctionCtx, A: Tensor, B: Tensor, out: Tensor | None = None, bias: Tensor | None = None, state: Any = None
    ) -> Any:
        shape = A.shape
        if A.dim() == 3:
            A = A.reshape(-1, A.shape[-1])
        by_column = column_stats = None
        if ctx.needs_input_grad[1]:
            by_row, by_column, row_stats, column_stats, outliers = F.int8_double_quant(
                A.to(torch.float16), threshold=state.threshold
            )
        else:
            by_row, row_stats, outliers = F.int8_vectorwise_quant(A.to(torch.float16), threshold=state.threshold)
        if state.has_fp16_weights or state.CB is None:
            has_grad = getattr(B, "grad", None) is not None
            if not B.is_contiguous() and B.shape[0] == B.stride(1):
                B = B.contiguous()
            if (state.is_training and not has_grad) or state.CB is None or state.SCB is None:
                state.reset_grads()
                state.CB, state.SCB, _ = F.int8_vectorwise_quant(B.to(torch.float16))
        part = None
        if state.threshold > 0.0:
            state.idx = outliers
            part = torch.empty(0, device=A.device, dtype=A.dtype)
        output = F.int8_scaled_mm(by_row, state.CB, row_stats, state.SCB, bias=bias, dtype=A.dtype)
        ctx.state, ctx.shape, ctx.dtype = state, shape, A.dtype
        ctx.bias_dtype = None if bias is None else bias.dtype
        ctx.tensors = (by_column, column_stats, part, A) if any(ctx.needs_input_grad[:2]) else (None,) * 4
        return output.reshape(*shape[:-1], state.CB.shape[0]) if len(shape) == 3 else output

    @staticmethod
    def backward(ctx: FunctionCtx, grad_output: Tensor) -> tuple:
        needs_a, needs_b, _, needs_bias, _ = ctx.needs_input_grad
        by_column, column_stats, part, kept = ctx.tensors
        state = ctx.state
        grad_a = grad_b = grad_bias = None
        if needs_bias:
            grad_bias = grad_output.sum(0, dtype=ctx.bias_dtype)
        grad_output = _flat_grad(grad_output)
        if needs_b:
            quantized, _, _, stats, _ = F.int8_double_quant(grad_output.to(torch.float16))
            grad_b = F.int8_scaled_mm(
                quantized.t().contiguous(), by_column.t(), stats, column_stats, dtype=torch.float16
            )
        if needs_a:
            weight = state.CB.to(ctx.dtype, copy=True).mul_(state.SCB.unsqueeze(1).mul(1.0 / 127.0))
            grad_a = torch.matmul(grad_output.to(ctx.dtype), weight).view(ctx.shape)
        return grad_a, grad_b, None, grad_bias, None


class MatMul4Bit(torch.autograd.Function):
    """The weight is undone for the product, and again in backward; A is not kept, other than in early releases."""

    @staticmethod
    def forward(
        ctx: FunctionCtx,
        A: Tensor,
        B: Tensor,
        out: Tensor | None = None,
        bias: Tensor | None = None,
        quant_state: Any = None,
    ) -> Any:
        output = torch.nn.functional.linear(A, F.dequantize_4bit(B, quant_state).to(A.dtype).t(), bias)
        ctx.state = quant_state
        ctx.bias_dtype = None if bias is None else bias.dtype
        needed = any(ctx.needs_input_grad[:2])
        ctx.packed = B if needed else None
        ctx.kept = A if needed and is_past("inputs_kept") else None
        return output

    @staticmethod
    def backward(ctx: FunctionCtx, grad_output: Tensor) -> tuple:
        needs_a, _, _, needs_bias, _ = ctx.needs_input_grad
        grad_a = grad_bias = None
        if needs_bias:
            grad_bias = grad_output.sum(0, dtype=ctx.bias_dtype)
        if needs_a:
            grad_a = torch.matmul(grad_output, F.dequantize_4bit(ctx.packed, ctx.state).to(grad_output.dtype).t())
        return grad_a, None, None, grad_bias, None


def matmul(
    A: Tensor,
    B: Tensor,
    out: Tensor | None = None,
    state: Any = None,
    threshold: float = 0.0,
    bias: Tensor | None = None,
) -> Any:
    """A [..., inputs] times an int8 weight [outputs, inputs]."""
    state = state or MatmulLtState()
    if threshold > 0.0:
        state.threshold = threshold
    product = TiledMatMul8bitLt if is_past("tiles") else MatMul8bitLt
    return product.apply(A, B, out, bias, state)


def matmul_4bit(A: Tensor, B: Tensor, quant_state: Any, out: Tensor | None = None, bias: Tensor | None = None) -> Any:
    """A [..., inputs] times a packed weight; a single vector without gradient does not undo the weight."""
    if quant_state is None:
        raise AssertionError("matmul_4bit needs the weight's quant_state")
    single = A.numel() == A.shape[-1] and not A.requires_grad
    if not single or A.shape[-1] % quant_state.blocksize:
        return MatMul4Bit.apply(A, B, out, bias, quant_state)
    result = F.gemv_4bit(A, B.t(), out, state=quant_state)
    if bias is not None:
        result += bias
    return result
