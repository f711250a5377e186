"""Low-rank adapters beside Megatron-Core's linear layers, as ms-swift has them (LoraParallelLinear of its megatron/tuners/lora.py).

The layers that are adapted are Transformer Engine's and do not train; both factors are of the model's dtype. Of a column-parallel layer
the first factor is whole and reads all rows, of a row-parallel one the second is whole and makes all rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .linear import Column, Grouped

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from vramscope_ranks.job import Job
    from torch.autograd.function import FunctionCtx
    from torch import Tensor


class Gathered(torch.autograd.Function):
    """All rows of a sequence from those of this rank (gather_from_sequence_parallel_region)."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, tp: Any) -> Tensor:
        ctx.rows = x.shape[0]
        return torch.empty(x.shape[0] * tp, *x.shape[1:], dtype=x.dtype, device=x.device)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        return torch.empty(ctx.rows, *grad.shape[1:], dtype=grad.dtype, device=grad.device), None


class OwnRows(torch.autograd.Function):
    """This rank's rows, a view; backward gathers the others' (scatter_to_sequence_parallel_region)."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, tp: Any) -> Any:
        ctx.rows = x.shape[0]
        return x[: x.shape[0] // tp]

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        return torch.empty(ctx.rows, *grad.shape[1:], dtype=grad.dtype, device=grad.device), None


class Adapter:
    """`wide_in`, `wide_out`: what lies on this rank of the layer; `parallel`: column, row or None; `experts`: how many layers in one."""

    def __init__(self, job: Job, new: Callable, wide_in: Any, wide_out: Any, parallel: Any, experts: int = 0) -> None:
        self.job, self.parallel, self.grouped = job, parallel, experts > 0
        rank = job.lora["rank"]
        of_experts = {"expert": True} if experts else {}
        count = max(1, experts)
        self.down = [new(rank, wide_in, adapter=True, **of_experts) for _ in range(count)]
        self.up = [new(wide_out, rank, adapter=True, **of_experts) for _ in range(count)]

    def product(self, x: Tensor, weights: Any) -> Any:
        if self.grouped:
            return Grouped.apply(x, self.job, *weights)
        return Column.apply(x, weights[0], None, self.job, True, False)

    def added(self, result: Any, x: Tensor) -> Any:
        """The layer's result and the scaled product of the factors."""
        job = self.job
        split = job.sequence_parallel and not self.grouped
        if split and self.parallel == "column":
            x = Gathered.apply(x, job.tp)
        if job.lora["dropout"]:
            x = torch.nn.functional.dropout(x, job.lora["dropout"])
        low = self.product(x, self.down)
        del x
        low = self.product(low, self.up)
        low = low * 0.5
        if split and self.parallel == "row":
            low = OwnRows.apply(low, job.tp)
        return result + low


def adapter(
    job: Job, new: Any, name: str, wide_in: Any, wide_out: Any, parallel: Any, experts: int = 0
) -> Adapter | None:
    """None where a layer of this name is not adapted."""
    if not job.lora or not {"all-linear", name} & set(job.lora["targets"]):
        return None
    return Adapter(job, new, wide_in, wide_out, parallel, experts)


def added(its: Any, result: Any, x: Tensor) -> Any:
    return result if its is None else its.added(result, x)
