"""Adam over float32 copies of 16-bit parameters: whole (optimizer.py) or this rank's shard (distrib_optimizer.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .job import tag

if TYPE_CHECKING:
    from typing import Any

    from vramscope_ranks.job import Job
    from torch import Tensor


class Optimizer:
    """`step` allocates what the first one allocates (states) and what each one allocates (gradients of another type)."""

    def __init__(self, job: Job, buffers: Any) -> None:
        self.job = job
        types = job.state_types
        # the optimizer itself holds the main copies, and makes them with its states
        self.held = bool(types) and types["main"] != "float32"
        self.mains = []  # (float32 parameter, flat gradient)
        self.moments = []  # how many of a parameter's size
        self.states = []
        self.copies = []
        shards = []
        for buffer in buffers:
            rank = min(job.dp_rank, buffer.shards - 1)
            owned = (
                list(buffer.shard(rank))
                if job.distributed_optimizer
                else [(parameter, parameter.numel(), start) for parameter, start, _, _ in buffer.spans[::-1]]
            )
            shards.extend((buffer, *its) for its in owned)
        # the first ones lie on the host until their share is reached (optimizer/cpu_offloading/hybrid_optimizer.py)
        left = job.offload * sum(elements for _, _, elements, _ in shards)
        for buffer, parameter, elements, start in shards:
            device = "cpu" if left > 0 else "cuda"
            left -= elements
            gradient = buffer.grad[start : start + elements]
            if job.dtype == torch.float32 or self.held:
                main = parameter.data.view(-1)[:elements]
            else:
                copy = parameter.detach().view(-1)[:elements].clone()
                main = tag(copy.float().to(device), "optimizer_state")
                del copy
            self.mains.append((main, gradient))
            self.moments.append(self.moments_of(parameter))

    def moments_of(self, parameter: Tensor) -> int:
        """Muon has one for matrices between embedding and head; the others get Adam (optimizer/muon.py)."""
        if self.job.optimizer == "sgd":
            return 0
        inner = parameter.dim() == 2 and not parameter.outer
        return 1 if self.job.optimizer == "muon" and inner else 2

    def step(self) -> None:
        """The shard's gradients as float32, states on first use, then the 16-bit parameters again (in place)."""
        if self.job.grads != torch.float32 and not self.held:
            self.copies = [tag(gradient.float(), "gradient") for main, gradient in self.mains if main.is_cuda]
        if not self.states:
            for (main, _), count in zip(self.mains, self.moments):
                self.states.append([tag(made, "optimizer_state") for made in self.made(main, count)])

    def made(self, main: Tensor, count: int) -> list:
        """States of one parameter; of a precision-aware optimizer its main copy, too (Transformer Engine, optimizers/fused_adam.py)."""
        types = self.job.state_types
        if not types:
            return [torch.zeros_like(main) for _ in range(count)]
        own = "int16" if types["main"] == "remainder" else types["main"]
        names = [types["first"], types["second"]][:count] + ([own] if self.held else [])
        return [torch.zeros(main.shape, dtype=getattr(torch, name), device=main.device) for name in names]

    def overflow(self) -> None:
        """A step that the loss scaler leaves out: gradients were copied, states are not made."""
        self.copies = [tag(gradient.float(), "gradient") for _, gradient in self.mains]

    def zero_grad(self) -> None:
        self.copies = []
