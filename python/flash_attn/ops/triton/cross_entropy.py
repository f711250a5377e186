"""Cross entropy of logits [rows, classes] in one kernel: it saves the logits and a float32 per row, no softmax."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any

    from torch.autograd.function import FunctionCtx
    from torch import Tensor


__getattr__ = lacks("flash_attn.ops.triton.cross_entropy")


class CrossEntropyLoss(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: FunctionCtx,
        logits: Tensor,
        labels: Tensor,
        precomputed_lse: Tensor,
        smoothing: Any,
        logit_scale: float,
        lse_square_scale: float,
        ignore_index: Any,
        inplace_backward: Any,
    ) -> tuple:
        rows, _ = logits.shape
        if logits.stride(-1) != 1:
            logits = logits.contiguous()
        losses = torch.empty(rows, dtype=torch.float, device=logits.device)
        reuses_lse = precomputed_lse is not None and logit_scale == 1.0 and smoothing == 0.0
        lse = precomputed_lse.contiguous() if reuses_lse else torch.empty(rows, dtype=torch.float, device=logits.device)
        z_losses = torch.empty(rows, dtype=torch.float, device=logits.device)
        ctx.save_for_backward(logits, lse, labels)
        ctx.mark_non_differentiable(z_losses)
        ctx.inplace = inplace_backward
        return losses, z_losses

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor, unused: Any) -> tuple:
        del unused
        logits, lse, labels = ctx.saved_tensors
        return (logits if ctx.inplace else torch.empty_like(logits)), None, None, None, None, None, None, None


def cross_entropy_loss(
    logits: Tensor,
    labels: Tensor,
    precomputed_lse: Any = None,
    label_smoothing: float = 0.0,
    logit_scale: float = 1.0,
    lse_square_scale: float = 0.0,
    ignore_index: int = -100,
    inplace_backward: bool = False,
    process_group: Any = None,
) -> Any:
    """(losses, z losses), float32 with one entry per row."""
    if process_group is not None:
        raise NotImplementedError("vramscope's stand-in for flash_attn has no cross entropy over several processes")
    return CrossEntropyLoss.apply(
        logits, labels, precomputed_lse, label_smoothing, logit_scale, lse_square_scale, ignore_index, inplace_backward
    )
