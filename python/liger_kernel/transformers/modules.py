"""Liger's modules, as programs make them and as models get them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..ops import (
    LigerFusedLinearCrossEntropyFunction,
    LigerRMSNormFunction,
    LigerRopeFunction,
    LigerSiLUMulFunction,
)

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class LigerRMSNorm(nn.Module):
    def __init__(self, hidden_size: int, eps: float = 1e-6, offset: float = 0.0, in_place: bool = True) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden_size))
        self.variance_epsilon = eps
        self.in_place = in_place

    def forward(self, hidden_states: Tensor) -> Tensor:
        return LigerRMSNormFunction.apply(hidden_states, self.weight, self.in_place)


class LigerSwiGLUMLP(nn.Module):
    def __init__(self, config: Any, intermediate_size: int | None = None) -> None:
        super().__init__()
        size = intermediate_size or config.intermediate_size
        self.gate_proj = nn.Linear(config.hidden_size, size, bias=False)
        self.up_proj = nn.Linear(config.hidden_size, size, bias=False)
        self.down_proj = nn.Linear(size, config.hidden_size, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(LigerSiLUMulFunction.apply(self.gate_proj(x), self.up_proj(x)))


def liger_rotary_pos_emb(
    query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, position_ids: Any = None, unsqueeze_dim: int = 1
) -> tuple[Tensor, Tensor]:
    return LigerRopeFunction.apply(query, key, cos, sin)


class _LigerCrossEntropy(torch.autograd.Function):
    """The gradient is left where the logits were."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, target: Tensor) -> Tensor:
        losses = torch.zeros(logits.shape[0], dtype=logits.dtype, device=logits.device)
        ctx.save_for_backward(logits.detach())
        return losses.sum()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        return *ctx.saved_tensors, None


class LigerCrossEntropyLoss(nn.Module):
    def forward(self, logits: Tensor, target: Tensor) -> Tensor:
        return _LigerCrossEntropy.apply(logits, target)


class LigerFusedLinearCrossEntropyLoss(nn.Module):
    def __init__(self, ignore_index: int = -100, reduction: str = "mean", **_: Any) -> None:
        super().__init__()

    def forward(self, lin_weight: Tensor, _input: Tensor, target: Tensor, bias: Tensor | None = None) -> Tensor:
        return LigerFusedLinearCrossEntropyFunction.apply(_input, lin_weight, target, bias)


def causal_loss(states: Tensor, head: nn.Module, labels: Tensor, count: Any = None) -> Tensor:
    """Each place predicts the next token (model/loss_utils.py, LigerForCausalLMLoss)."""
    labels = F.pad(labels, (0, 1), value=-100)
    shift_labels = labels[..., 1:].contiguous()
    states = states.view(-1, states.shape[-1])
    loss = LigerFusedLinearCrossEntropyFunction.apply(states, head.weight, shift_labels.view(-1), None)
    return loss if count is None else loss / count
