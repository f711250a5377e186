"""8-bit products until 0.45: operands copied into tiles, activations quantized by rows and by columns, results of int32 in columns of 32."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import note

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from torch.autograd.function import FunctionCtx

_EMPTY_MAXIMUM = -50000.0
# Rows and columns of what one counter of outliers stands for: get_colrow_absmax
_COUNTED_ROWS, _COUNTED_COLUMNS = 16, 256
_COLUMNS = 32
_TURING, _TURING_ROWS, _AMPERE_ROWS = (7, 5), 8, 32


def _up(size: int, step: int) -> int:
    return -(-size // step) * step


def double_quant(A: Tensor, threshold: float = 0.0) -> tuple:
    """(int8 by rows, int8 by columns, float32 per row, float32 per column); which columns have outliers depends on data: none is assumed."""
    rows, columns = A.shape
    row_stats = torch.empty((rows,), dtype=torch.float32, device=A.device).fill_(_EMPTY_MAXIMUM)
    column_stats = torch.empty((columns,), dtype=torch.float32, device=A.device).fill_(_EMPTY_MAXIMUM)
    counters = None
    if threshold > 0.0:
        tiles = _up(rows, _COUNTED_ROWS) * (-(-columns // _COUNTED_COLUMNS))
        counters = torch.zeros((tiles + 1,), dtype=torch.int32, device=A.device)
        counters.cumsum_(0)
        note("outliers_unknown", "op", "bitsandbytes::double_quant")
    by_column = torch.zeros(A.shape, device=A.device, dtype=torch.int8)
    by_row = torch.zeros(A.shape, device=A.device, dtype=torch.int8)
    return by_row, by_column, row_stats, column_stats


def _in_columns(A: Tensor, transpose: bool = False) -> Tensor:
    rows, columns = reversed(A.shape) if transpose else A.shape
    return torch.zeros((rows, _up(columns, _COLUMNS)), dtype=A.dtype, device=A.device)


def _tile_rows(device: torch.device) -> int:
    return _TURING_ROWS if torch.cuda.get_device_capability(device) == _TURING else _AMPERE_ROWS


def _in_tiles(B: Tensor, transpose: bool = False) -> Tensor:
    rows, columns = reversed(B.shape) if transpose else B.shape
    return torch.zeros((_up(rows, _tile_rows(B.device)), _up(columns, _COLUMNS)), dtype=B.dtype, device=B.device)


def _product(in_columns: Tensor, outputs: int) -> Tensor:
    rows = in_columns.shape[0]
    return torch.zeros((rows, _up(outputs, _COLUMNS)), dtype=torch.int32, device=in_columns.device)


def _dequantized(product: Tensor, outputs: int) -> Tensor:
    rows, device = product.shape[0], product.device
    out = torch.empty((rows, outputs), dtype=torch.float16, device=device)
    new_rows = torch.empty(rows, dtype=torch.float32, device=device)
    new_columns = torch.empty(outputs, dtype=torch.float32, device=device)
    del new_rows, new_columns
    return out


def _out_of_tiles(state: Any) -> Tensor:
    """The weight in rows again, by way of the places in one tile, which its state keeps: autograd/_functions.py, undo_layout."""
    tiled = state.CxB
    rows, columns = tiled.shape
    height = _tile_rows(tiled.device)
    if state.indices is None:
        state.indices = torch.empty(height * _COLUMNS, dtype=torch.int64, device=tiled.device)
    turned = tiled.reshape(-1, height * _COLUMNS).t()
    outputs = torch.empty_like(turned)
    outputs[state.indices] = turned
    outputs = outputs.reshape(height, _COLUMNS, columns // _COLUMNS, rows // height)
    outputs = outputs.permute(3, 0, 2, 1)
    return outputs.reshape(rows, columns).contiguous()


class TiledMatMul8bitLt(torch.autograd.Function):
    """LLM.int8() as it was: the first pass moves a weight into tiles, in which it stays."""

    @staticmethod
    def forward(
        ctx: FunctionCtx, A: Tensor, B: Tensor, out: Tensor | None = None, bias: Tensor | None = None, state: Any = None
    ) -> Any:
        on_tiles = torch.cuda.get_device_capability(A.device) >= _TURING
        shape, dtype = A.shape, A.dtype
        if A.dim() == 3:
            A = A.reshape(-1, A.shape[-1])
        by_row, by_column, row_stats, column_stats = double_quant(A.to(torch.float16), threshold=state.threshold)
        if not state.has_fp16_weights and state.CxB is None and on_tiles:
            state.CxB = _in_tiles(state.CB)
        if state.has_fp16_weights:
            has_grad = getattr(B, "grad", None) is not None
            if not B.is_contiguous() and B.shape[0] == B.stride(1):
                B = B.contiguous()
            if (state.is_training and not has_grad) or state.CxB is None:
                state.reset_grads()
                weight, state.CBt, state.SCB, state.SCBt = double_quant(B.to(torch.float16))
                if on_tiles:
                    state.CxB = _in_tiles(weight)
                else:
                    state.CB = weight
        outputs = state.SCB.numel()
        if on_tiles:
            in_columns = _in_columns(by_row)
            product = _product(in_columns, outputs)
            output = _dequantized(product, outputs).to(dtype)
            if bias is not None and bias.dtype != torch.float16:
                output = output.add_(bias)
        else:
            plain = A.clone()
            output = torch.nn.functional.linear(plain, state.CB.to(dtype))
            output = output.mul_(state.SCB.unsqueeze(0).mul(1.0 / 127.0))
            if bias is not None:
                output = output.add_(bias)
        ctx.state, ctx.shape, ctx.dtype = state, shape, dtype
        ctx.bias_dtype = None if bias is None else bias.dtype
        needed = any(ctx.needs_input_grad[:2])
        ctx.tensors = (by_column, A, column_stats) if needed else (None, A, None)
        output = output.view(*shape[:-1], outputs)
        return torch.clone(output) if len(shape) == 3 else output

    @staticmethod
    def backward(ctx: FunctionCtx, grad_output: Tensor) -> tuple:
        needs_a, needs_b, _, needs_bias, _ = ctx.needs_input_grad
        by_column, kept, column_stats = ctx.tensors
        state = ctx.state
        grad_a = grad_b = grad_bias = None
        if needs_bias:
            grad_bias = grad_output.sum(0, dtype=ctx.bias_dtype)
        if grad_output.dim() == 3:
            grad_output = grad_output.reshape(-1, grad_output.shape[-1]).contiguous()
        grad_rows, grad_columns, row_stats, stats = double_quant(grad_output.to(torch.float16))
        if needs_b:
            inputs = _in_tiles(by_column, transpose=True)
            in_columns = _in_columns(grad_columns, transpose=True)
            product = _product(in_columns, kept.shape[-1])
            grad_b = _dequantized(product, kept.shape[-1])
        if needs_a:
            if state.CBt is not None:
                in_columns = _in_columns(grad_rows)
                if state.CxBt is None:
                    state.CxBt = _in_tiles(state.CBt, transpose=True)
                product = _product(in_columns, kept.shape[-1])
                grad_a = _dequantized(product, kept.shape[-1]).view(ctx.shape).to(ctx.dtype)
            else:
                if state.CB is not None:
                    weight = state.CB.to(ctx.dtype, copy=True).mul_(state.SCB.unsqueeze(1).mul(1.0 / 127.0))
                else:
                    weight = _out_of_tiles(state).to(ctx.dtype).mul_(state.SCB.unsqueeze(1).mul(1.0 / 127.0))
                grad_a = torch.matmul(grad_output, weight).view(ctx.shape).to(ctx.dtype)
        return grad_a, grad_b, None, grad_bias, None
