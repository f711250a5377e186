"""Taking padding out of a batch and putting it back. How many tokens count depends on the mask's values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from einops import rearrange, repeat
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any

    from torch.autograd.function import FunctionCtx
    from torch import Tensor


__getattr__ = lacks("flash_attn.bert_padding")


class IndexFirstAxis(torch.autograd.Function):
    """Rows of `input` [rows, ...] by number; saves the numbers only."""

    @staticmethod
    def forward(ctx: FunctionCtx, input: Tensor, indices: Tensor) -> Tensor:
        ctx.save_for_backward(indices)
        ctx.rows, rest = input.shape[0], input.shape[1:]
        columns = repeat(indices, "z -> z d", d=rest.numel())
        return torch.gather(rearrange(input, "b ... -> b (...)"), 0, columns).reshape(-1, *rest)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        (indices,) = ctx.saved_tensors
        rest = grad.shape[1:]
        grad = rearrange(grad, "b ... -> b (...)")
        result = torch.zeros((ctx.rows, grad.shape[1]), device=grad.device, dtype=grad.dtype)
        result.scatter_(0, repeat(indices, "z -> z d", d=grad.shape[1]), grad)
        return result.reshape(ctx.rows, *rest), None


class IndexPutFirstAxis(torch.autograd.Function):
    """Rows put to their numbers among zeros."""

    @staticmethod
    def forward(ctx: FunctionCtx, values: Tensor, indices: Tensor, first_axis_dim: Any) -> Tensor:
        ctx.save_for_backward(indices)
        output = torch.zeros((first_axis_dim, *values.shape[1:]), device=values.device, dtype=values.dtype)
        output[indices] = values
        return output

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        (indices,) = ctx.saved_tensors
        return grad[indices], None, None


index_first_axis = IndexFirstAxis.apply
index_put_first_axis = IndexPutFirstAxis.apply


def unpad_input(hidden_states: Tensor, attention_mask: Tensor, unused_mask: Any = None) -> tuple:
    """(tokens [total, ...], their numbers, cumulated lengths int32, longest length, tokens used) of [batch, length, ...]."""
    masks = attention_mask if unused_mask is None else attention_mask + unused_mask
    lengths = masks.sum(dim=-1, dtype=torch.int32)
    used = attention_mask.sum(dim=-1, dtype=torch.int32)
    indices = torch.nonzero(masks.flatten(), as_tuple=False).flatten()
    # a mask without known values counts as full
    longest = int(lengths.max().item()) or attention_mask.shape[-1]
    cumulated = F.pad(torch.cumsum(lengths, dim=0, dtype=torch.int32), (1, 0))
    return (
        index_first_axis(rearrange(hidden_states, "b s ... -> (b s) ..."), indices),
        indices,
        cumulated,
        longest,
        used,
    )


def pad_input(hidden_states: Tensor, indices: Tensor, batch: int, seqlen: int) -> Any:
    """[total, ...] back to [batch, seqlen, ...]."""
    output = index_put_first_axis(hidden_states, indices, batch * seqlen)
    return rearrange(output, "(b s) ... -> b s ...", b=batch)
