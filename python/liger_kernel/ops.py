"""Functions behind Liger's modules: what each makes, keeps for backward, and overwrites (liger_kernel/ops)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from torch import Tensor
    from torch.autograd.function import FunctionCtx


__getattr__ = lacks("liger_kernel.ops")


class LigerRMSNormFunction(torch.autograd.Function):
    """Kept: the input and a float32 per row. The gradient is written where the one that came in lies, unless told otherwise."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, weight: Tensor, in_place: bool) -> Tensor:
        x = x.contiguous()
        rows = x.view(-1, x.shape[-1])
        result = torch.empty(rows.shape, dtype=x.dtype, device=x.device)
        scale = torch.empty(rows.shape[0], dtype=torch.float32, device=x.device)
        ctx.in_place = in_place
        ctx.save_for_backward(rows, weight, scale)
        return result.view(x.shape)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        _, weight, _ = ctx.saved_tensors
        grad = grad.contiguous()
        # one row for each multiprocessor, summed at the end
        processors = torch.cuda.get_device_properties(grad.device).multi_processor_count
        parts = torch.empty(processors, weight.shape[0], dtype=torch.float32, device=grad.device)
        made = grad if ctx.in_place else torch.zeros_like(grad)
        of_weight = parts.sum(dim=0).to(weight.dtype) if ctx.needs_input_grad[1] else None
        return made, of_weight, None


class LigerSiLUMulFunction(torch.autograd.Function):
    """Kept: both inputs, where backward leaves their gradients."""

    @staticmethod
    def forward(ctx: FunctionCtx, gate: Tensor, up: Tensor) -> Tensor:
        gate, up = gate.contiguous(), up.contiguous()
        ctx.save_for_backward(gate, up)
        return torch.empty_like(gate)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        grad.contiguous()
        return ctx.saved_tensors


class LigerRopeFunction(torch.autograd.Function):
    """Queries and keys are turned where they lie; only angles are kept."""

    @staticmethod
    def forward(ctx: FunctionCtx, query: Tensor, key: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
        query, key = query.transpose(1, 2).contiguous(), key.transpose(1, 2).contiguous()
        ctx.save_for_backward(cos.contiguous(), sin.contiguous())
        return query.transpose(1, 2), key.transpose(1, 2)

    @staticmethod
    def backward(ctx: FunctionCtx, of_query: Tensor, of_key: Tensor) -> tuple:
        of_query, of_key = of_query.transpose(1, 2).contiguous(), of_key.transpose(1, 2).contiguous()
        return of_query.transpose(1, 2), of_key.transpose(1, 2), None, None


def chunk_rows(tokens: int, width: int, vocabulary: int) -> int:
    """Tokens whose logits exist at a time: about as many bytes as all states have."""
    chunks = -(-vocabulary // width)
    rows = -(-tokens // chunks)
    return min(tokens, 1 << (rows - 1).bit_length())


class LigerFusedLinearCrossEntropyFunction(torch.autograd.Function):
    """A head and its loss. Gradients are computed in forward and kept; logits exist for a chunk of tokens, and become their gradients."""

    @staticmethod
    def forward(ctx: FunctionCtx, states: Tensor, weight: Tensor, target: Tensor, bias: Tensor | None) -> Tensor:
        tokens, width = states.shape
        vocabulary = weight.shape[0]
        rows = chunk_rows(tokens, width, vocabulary)
        trains_weight, trains_bias = weight.requires_grad, bias is not None and bias.requires_grad
        of_states = torch.zeros_like(states)
        of_weight = torch.zeros_like(weight) if trains_weight else None
        of_bias = torch.zeros_like(bias) if trains_bias else None
        losses = torch.zeros(tokens, dtype=torch.float32, device=states.device)
        mask = target != -100
        mask.sum()
        # one buffer for all chunks where no cast stands between the states and the product
        plain = states.dtype == weight.dtype and not torch.is_autocast_enabled("cuda")
        buffer = torch.empty(rows, vocabulary, dtype=states.dtype, device=states.device) if plain else None
        for start in range(0, tokens, rows):
            part = states[start : start + rows]
            if buffer is None:
                logits = part @ weight.t()
                of_states[start : start + rows] = logits @ weight
            else:
                logits = buffer[: part.shape[0]]
                torch.mm(part, weight.t(), out=logits)
                torch.mm(logits, weight, out=of_states[start : start + rows])
            if trains_bias:
                of_bias.add_(logits.sum(dim=0))
            del logits
        ctx.save_for_backward(of_states.detach(), None if of_weight is None else of_weight.detach(), of_bias)
        return losses.sum()

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        torch.tensor(1.0, device=grad.device)  # gradients are scaled where that is not what comes in
        of_states, of_weight, of_bias = ctx.saved_tensors
        return of_states, of_weight, None, of_bias
