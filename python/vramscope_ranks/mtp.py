"""Multi-token prediction: one more layer per depth behind the last, each with a loss of its own (core/transformer/multi_token_prediction.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .linear import Column, Norm

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from vramscope_ranks.job import Job
    from torch.autograd.function import FunctionCtx
    from torch import Tensor


class Scaled(torch.autograd.Function):
    """Hangs a loss on hidden states: its backward pass runs with theirs."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, loss: Tensor) -> Any:
        ctx.shape = loss.shape
        return x

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        return grad, torch.ones(ctx.shape, dtype=torch.float32, device=grad.device)


class Prediction:
    def __init__(self, job: Job, parameters: Any, layer: Callable) -> None:
        self.job = job
        new = parameters.new
        self.depths = []
        for _ in range(1 if job.mtp_shared else job.mtp):
            norms = [new(job.hidden), new(job.hidden)]
            biases = [new(job.hidden), new(job.hidden)] if job.layernorm else [None, None]
            proj = new(job.hidden // job.tp, job.hidden * 2)
            number = max(job.moe_layers, default=-1)
            block = layer(job, parameters, number)
            final = new(job.hidden), new(job.hidden) if job.layernorm else None
            self.depths.append((norms, biases, proj, block, final))
        if job.mtp_shared:
            self.depths *= job.mtp

    def forward(self, chunk: Any, x: Tensor, batch: int) -> Any:
        job = self.job
        out = x
        for norms, biases, proj, block, final in self.depths:
            words = chunk.embed(batch["tokens"], batch["positions"])
            words = Norm.apply(words, norms[0], biases[0])
            x = Norm.apply(x, norms[1], biases[1])
            both = torch.cat((words, x), dim=-1)
            del words
            x = Column.apply(both, proj, None, job, job.te, job.sequence_parallel)
            if job.tp > 1:
                x = torch.cat([x] * job.tp, dim=-1)
                if job.sequence_parallel:
                    x = x[: job.rows].clone()
            if job.recompute == "full":
                x = torch.utils.checkpoint.checkpoint(block.forward, x, use_reentrant=True)
            else:
                x = block.forward(x)
            x = Norm.apply(x, *final)
            out = Scaled.apply(out, chunk.loss(x, batch["labels"]))
        return out
