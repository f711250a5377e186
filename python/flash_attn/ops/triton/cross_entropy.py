"""Cross entropy of logits [rows, classes] in one kernel: it saves the logits and a float32 per row, no softmax."""

import torch
from torch._stand_ins import lacks

__getattr__ = lacks("flash_attn.ops.triton.cross_entropy")


class CrossEntropyLoss(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx, logits, labels, precomputed_lse, smoothing, logit_scale, lse_square_scale, ignore_index, inplace_backward
    ):
        rows, _ = logits.shape
        if logits.stride(-1) != 1:
            logits = logits.contiguous()
        losses = torch.empty(rows, dtype=torch.float, device=logits.device)
        given = precomputed_lse is not None and logit_scale == 1.0 and smoothing == 0.0
        lse = precomputed_lse.contiguous() if given else torch.empty(rows, dtype=torch.float, device=logits.device)
        z_losses = torch.empty(rows, dtype=torch.float, device=logits.device)
        ctx.save_for_backward(logits, lse, labels)
        ctx.mark_non_differentiable(z_losses)
        ctx.inplace = inplace_backward
        return losses, z_losses

    @staticmethod
    def backward(ctx, grad, unused):
        del unused
        logits, lse, labels = ctx.saved_tensors
        return (logits if ctx.inplace else torch.empty_like(logits)), None, None, None, None, None, None, None


def cross_entropy_loss(
    logits,
    labels,
    precomputed_lse=None,
    label_smoothing=0.0,
    logit_scale=1.0,
    lse_square_scale=0.0,
    ignore_index=-100,
    inplace_backward=False,
    process_group=None,
):
    """(losses, z losses), float32 with one entry per row."""
    if process_group is not None:
        raise NotImplementedError("vramscope's stand-in for flash_attn has no cross entropy over several processes")
    return CrossEntropyLoss.apply(
        logits, labels, precomputed_lse, label_smoothing, logit_scale, lse_square_scale, ignore_index, inplace_backward
    )
