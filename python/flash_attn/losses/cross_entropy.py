"""CrossEntropyLoss as a module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn
from torch._stand_ins import lacks

from ..ops.triton.cross_entropy import cross_entropy_loss

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


__getattr__ = lacks("flash_attn.losses.cross_entropy")


class CrossEntropyLoss(nn.Module):
    """Logits [rows, classes] and classes [rows], both on the GPU; float32 results."""

    def __init__(
        self,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
        logit_scale: float = 1.0,
        lse_square_scale: float = 0.0,
        inplace_backward: bool = False,
        process_group: Any = None,
        return_z_loss: bool = False,
    ) -> None:
        super().__init__()
        if reduction not in ("mean", "none", "sum"):
            raise NotImplementedError("Only support reduction = 'mean' or 'none' or 'sum'")
        self.ignore_index, self.reduction, self.label_smoothing = ignore_index, reduction, label_smoothing
        self.logit_scale, self.lse_square_scale = logit_scale, lse_square_scale
        self.inplace_backward, self.process_group, self.return_z_loss = inplace_backward, process_group, return_z_loss

    def _reduced(self, loss, target):
        if self.reduction == "mean":
            return loss.sum() / (target != self.ignore_index).sum()
        return loss.sum() if self.reduction == "sum" else loss

    def forward(self, input: Tensor, target: Tensor, precomputed_lse: Any = None) -> Any:
        if not (input.is_cuda and target.is_cuda):
            raise AssertionError("Only support CUDA tensors")
        loss, z_loss = cross_entropy_loss(
            input,
            target,
            precomputed_lse,
            self.label_smoothing,
            self.logit_scale,
            self.lse_square_scale,
            self.ignore_index,
            self.inplace_backward,
            self.process_group,
        )
        loss = self._reduced(loss, target)
        return (loss, self._reduced(z_loss, target)) if self.return_z_loss else loss
