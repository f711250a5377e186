"""Parts that are computed again for the backward pass (core/tensor_parallel/random.py: checkpoint, CheckpointWithoutOutput)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from vramscope_ranks.job import Job
    from torch.autograd.function import FunctionCtx


def recomputes(job: Job, name: str) -> Any:
    """Whether selective recomputation names a part."""
    return job.recompute == "selective" and name in job.recompute_modules


def again(job: Job, name: str, function: Callable, *inputs: Any) -> Any:
    """The function's result; of a part that is named, only its inputs are kept."""
    if recomputes(job, name):
        return torch.utils.checkpoint.checkpoint(function, *inputs, use_reentrant=True)
    return function(*inputs)


class _Discarding(torch.autograd.Function):
    @staticmethod
    def forward(ctx: FunctionCtx, holder: Any, function: Callable, *inputs: Any) -> Any:
        with torch.no_grad():
            results = function(*inputs)
        ctx.holder, ctx.inputs = holder, inputs
        return results

    @staticmethod
    def backward(ctx: FunctionCtx, *grads: Any) -> tuple:
        results, inputs = ctx.holder.made
        ctx.holder.made = None
        torch.autograd.backward(results, grads)
        return None, None, *(its.grad if isinstance(its, torch.Tensor) else None for its in inputs)


class WithoutOutput:
    """Results whose bytes go when the next part has read them, and come back before its backward pass."""

    def __init__(self, function: Callable, *inputs: Any) -> None:
        self.function, self.inputs, self.made = function, inputs, None
        made = _Discarding.apply(self, function, *inputs)
        self.single = not isinstance(made, tuple)
        self.results = (made,) if self.single else made

    def taken(self) -> Any:
        return self.results[0] if self.single else self.results

    def discard(self, after: Any) -> None:
        """Once a gradient of `after` comes, the results are made again."""
        self.sizes = [its.untyped_storage().size() for its in self.results]
        for its in self.results:
            its.untyped_storage().resize_(0)
        after.register_hook(self.recompute)

    def recompute(self, _: Any) -> None:
        inputs = [its.detach().requires_grad_(its.requires_grad) for its in self.inputs]
        with torch.enable_grad():
            made = self.function(*inputs)
        made = (made,) if self.single else made
        for its, size in zip(self.results, self.sizes):
            its.untyped_storage().resize_(size)
        self.made = made, inputs
        self.results = self.inputs = None
