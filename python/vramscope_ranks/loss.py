"""Cross entropy over a vocabulary that is cut over tensor ranks (core/tensor_parallel/cross_entropy.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any

    from vramscope_ranks.job import Job
    from torch.autograd.function import FunctionCtx
    from torch import Tensor


class CrossEntropy(torch.autograd.Function):
    """Logits as float32 become the softmax in place, which is kept and becomes the gradient in place."""

    @staticmethod
    def forward(ctx: FunctionCtx, logits: Tensor, labels: Tensor) -> Any:
        wide = logits.float() if logits.dtype != torch.float32 else logits.clone()
        top = torch.max(wide, dim=-1)[0]
        wide -= top.unsqueeze(dim=-1)
        outside = (labels < 0) | (labels >= wide.shape[-1])
        inside = labels.clone() - 0
        inside[outside] = 0
        flat = inside.view(-1)
        rows = torch.arange(0, flat.shape[0], device=wide.device)
        predicted = wide.view(-1, wide.shape[-1])[rows, flat]
        predicted = predicted.clone().contiguous().view_as(labels)
        predicted[outside] = 0.0
        torch.exp(wide, out=wide)
        total = wide.sum(dim=-1)
        loss = torch.log(total) - predicted
        wide.div_(total.unsqueeze(dim=-1))
        ctx.save_for_backward(wide, outside, flat)
        return loss

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        softmax, outside, flat = ctx.saved_tensors
        rows = torch.arange(0, flat.shape[0], device=softmax.device)
        update = 1.0 - outside.view(-1).float()
        softmax.view(-1, softmax.shape[-1])[rows, flat] -= update
        softmax.mul_(grad.unsqueeze(dim=-1))
        return softmax, None


class FusedCrossEntropy(torch.autograd.Function):
    """The compiled variant (fusions/fused_cross_entropy.py): the gradient leaves in 16 bits.

    Its functions change their arguments, so that each compiled one makes a result anew: two more of the float32 size are there beside the
    softmax, as peaks of Megatron-LM's CI show (memory_speed, mtp; its containers of long-term support take one more).
    """

    @staticmethod
    def forward(ctx: FunctionCtx, logits: Tensor, labels: Tensor) -> Tensor:
        wide = torch.empty(logits.shape, dtype=torch.float32, device=logits.device)
        ctx.save_for_backward(wide, torch.empty(labels.shape, dtype=torch.bool, device=labels.device))
        ctx.dtype = logits.dtype
        return torch.empty(labels.shape, dtype=torch.float32, device=logits.device)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        softmax, _ = ctx.saved_tensors
        changed = [torch.empty_like(softmax) for _ in range(2)]
        out = torch.empty(softmax.shape, dtype=ctx.dtype, device=softmax.device)
        del changed
        return out, None


def loss_of(job: Job, logits: Tensor, labels: Tensor) -> Any:
    return (FusedCrossEntropy if job.fused_loss else CrossEntropy).apply(logits, labels)
