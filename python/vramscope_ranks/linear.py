"""Linear layers cut over tensor ranks: Transformer Engine's and Megatron-Core's own.

A product of Transformer Engine goes to cuBLASLt with a workspace of its own, so none of PyTorch's; Megatron-Core's own layer
multiplies with torch.matmul. With sequence parallelism the local rows are kept, and gathered again for backward.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .job import tag

if TYPE_CHECKING:
    from typing import Any

    from vramscope_ranks.job import Job
    from torch.autograd.function import FunctionCtx
    from torch import Tensor


_kept = {}  # buffers that live as long as the program


def workspace(job: Job) -> None:
    """cuBLASLt's workspace of Transformer Engine (pytorch/module/base.py, get_workspace)."""
    if "workspace" not in _kept:
        _kept["workspace"] = tag(torch.empty(job.te_workspace, dtype=torch.uint8, device="cuda"), "workspace")


# Streams over which Transformer Engine spreads the products of experts.
EXPERT_STREAMS = 4


def expert_workspaces(job: Job) -> None:
    """One more workspace for each of those streams (cpp_extensions/gemm.py, get_cublas_workspace)."""
    if "streams" not in _kept:
        size = job.te_workspace
        made = [torch.empty(size, dtype=torch.uint8, device="cuda") for _ in range(EXPERT_STREAMS)]
        _kept["streams"] = [tag(one, "workspace") for one in made]


def shared_buffer(job: Job, name: str, shape: Any) -> Tensor:
    """Megatron-Core's global memory buffer: one per name and dtype, as large as the largest request (core/utils.py)."""
    elements = 1
    for size in shape:
        elements *= size
    held = _kept.get(name)
    if held is None or held.numel() < elements:
        _kept.pop(name, None)
        del held
        _kept[name] = torch.empty(elements, dtype=job.dtype, device="cuda")
    return _kept[name][:elements].view(*shape)


def product(job: Job, te: Any, x: Tensor, weight: Tensor) -> Tensor:
    """x [.., in] times weight [out, in]."""
    if te:
        workspace(job)
        return torch.empty(*x.shape[:-1], weight.shape[0], dtype=x.dtype, device=x.device)
    return torch.matmul(x, weight.t())


def input_gradient(job: Job, te: Any, grad: Tensor, weight: Tensor) -> Any:
    if te:
        return torch.empty(*grad.shape[:-1], weight.shape[1], dtype=grad.dtype, device=grad.device)
    return grad.matmul(weight)


def placeholder(weight: Tensor) -> Tensor:
    """What autograd gets where a product adds into the flat buffer: one per shape, kept (Transformer Engine's get_dummy_wgrad)."""
    name = ("placeholder", *weight.shape)
    if name not in _kept:
        _kept[name] = torch.empty_like(weight, requires_grad=False)
    return _kept[name].detach()


def weight_gradient(job: Job, te: Any, grad: Tensor, x: Tensor, weight: Tensor) -> Any:
    """The gradient itself, or a placeholder; Megatron-Core's own layers ask for one since 0.14, where Transformer Engine is (layers.py)."""
    if job.fused_wgrad:
        return placeholder(weight) if te or job.own_placeholders else torch.empty_like(weight)
    if te:
        return torch.empty_like(weight)
    return grad.reshape(-1, grad.shape[-1]).t().matmul(x.reshape(-1, x.shape[-1]))


def gathered(job: Job, te: Any, x: Tensor) -> Tensor:
    if te:
        return torch.empty(x.shape[0] * job.tp, *x.shape[1:], dtype=x.dtype, device=x.device)
    return shared_buffer(job, "mpu", (x.shape[0] * job.tp, *x.shape[1:]))


def scattered(job: Job, x: Tensor) -> Tensor:
    return torch.empty(x.shape[0] // job.tp, *x.shape[1:], dtype=x.dtype, device=x.device)


def deferred(job: Job, x: Tensor, grad: Tensor) -> bool:
    """Keeps what the head's weight gradient needs until the pipeline drains, for as many micro-batches as are allowed."""
    waiting = _kept.setdefault("deferred", [])
    if job.deferred_wgrads <= len(waiting):
        return False
    waiting.append((x, grad))
    return True


def drained() -> None:
    _kept.pop("deferred", None)


def kept(x: Tensor, weight: Tensor) -> Any:
    """A layer that does not train keeps its weight alone (pytorch/module/linear.py, saved_inputmat)."""
    return x if weight.requires_grad else None


class Column(torch.autograd.Function):
    """[rows, batch, in] to [all rows, batch, out / tp]."""

    @staticmethod
    def forward(
        ctx: FunctionCtx, x: Tensor, weight: Tensor, bias: Tensor, job: Job, te: Any, parallel: Any, late: bool = False
    ) -> Tensor:
        ctx.save_for_backward(kept(x, weight), weight)
        ctx.job, ctx.te, ctx.parallel, ctx.bias, ctx.deferred = job, te, parallel, bias is not None, late
        total = gathered(job, te, x) if parallel else x
        return product(job, te, total, weight)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        x, weight = ctx.saved_tensors
        job, te = ctx.job, ctx.te
        total = gathered(job, te, x) if ctx.parallel and x is not None else x
        dx = input_gradient(job, te, grad, weight)
        if ctx.parallel:
            dx = scattered(job, dx)
        if ctx.deferred and deferred(job, x, grad):
            return dx, None, None, None, None, None, None
        dw = weight_gradient(job, te, grad, total, weight) if weight.requires_grad else None
        db = grad.new_empty(weight.shape[0]) if ctx.bias and weight.requires_grad else None
        return dx, dw, db, None, None, None, None


class Row(torch.autograd.Function):
    """[all rows, batch, in / tp] to [rows, batch, out]."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, weight: Tensor, job: Job, te: Any, parallel: Any) -> Tensor:
        ctx.save_for_backward(kept(x, weight), weight)
        ctx.job, ctx.te, ctx.parallel = job, te, parallel
        out = product(job, te, x, weight)
        return scattered(job, out) if parallel else out

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        x, weight = ctx.saved_tensors
        job, te = ctx.job, ctx.te
        if ctx.parallel:
            grad = gathered(job, te, grad)
        dx = input_gradient(job, te, grad, weight)
        dw = weight_gradient(job, te, grad, x, weight) if weight.requires_grad else None
        return dx, dw, None, None, None


class Grouped(torch.autograd.Function):
    """A product per expert over its share of the rows; keeps its input."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, job: Job, *weights: Any) -> Tensor:
        ctx.save_for_backward(kept(x, weights[0]), *weights)
        ctx.job, ctx.shape, ctx.dtype = job, x.shape, x.dtype
        workspace(job)
        if job.moe["grouped"]:
            expert_workspaces(job)
        return torch.empty(x.shape[0], weights[0].shape[0], dtype=x.dtype, device=x.device)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        _, *weights = ctx.saved_tensors
        dx = torch.empty(ctx.shape, dtype=ctx.dtype, device=grad.device)
        if not weights[0].requires_grad:
            return dx, None, *([None] * len(weights))
        if ctx.job.fused_wgrad:
            return dx, None, *[placeholder(weight) for weight in weights]
        return dx, None, *[torch.empty_like(weight) for weight in weights]


class Norm(torch.autograd.Function):
    """LayerNorm or RMSNorm of the last dimension: keeps its input and one or two float32 per row."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        rows = x.numel() // x.shape[-1]
        stats = [torch.empty(rows, dtype=torch.float32, device=x.device) for _ in range(1 if bias is None else 2)]
        ctx.save_for_backward(x, weight, *stats)
        ctx.bias = bias is not None
        return torch.empty_like(x, memory_format=torch.contiguous_format)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        x, weight, *_ = ctx.saved_tensors
        dx = torch.empty_like(x, memory_format=torch.contiguous_format)
        dw = torch.empty_like(weight)
        return dx, dw, torch.empty_like(weight) if ctx.bias else None
