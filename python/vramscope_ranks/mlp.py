"""The feed-forward part of a layer, and the fused element-wise functions around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .adapters import adapter, added
from .linear import Column, Norm, Row

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from vramscope_ranks.job import Job
    from torch.autograd.function import FunctionCtx
    from torch import Tensor


class Activation(torch.autograd.Function):
    """A fused activation (gated or not): keeps its input alone."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, bias: Tensor, out_width: Any) -> Tensor:
        ctx.save_for_backward(x)
        ctx.bias = bias is not None
        return torch.empty(*x.shape[:-1], out_width, dtype=x.dtype, device=x.device)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        (x,) = ctx.saved_tensors
        dx = torch.empty_like(x)
        return dx, x.new_empty(x.shape[-1]) if ctx.bias else None, None


class BiasDropoutAdd(torch.autograd.Function):
    """residual + dropout(x + bias) in one kernel: keeps a mask of one byte per element where there is dropout."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, bias: Tensor, residual: Tensor, p: Tensor) -> Tensor:
        ctx.bias, ctx.p = bias is not None, p
        out = torch.empty_like(residual)
        if p:
            ctx.save_for_backward(torch.empty(x.shape, dtype=torch.bool, device=x.device))
        return out

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        dx = torch.empty_like(grad) if ctx.p else grad
        return dx, grad.new_empty(grad.shape[-1]) if ctx.bias else None, grad, None


def add(job: Job, x: Tensor, bias: Tensor, residual: Tensor) -> Any:
    return BiasDropoutAdd.apply(x, bias, residual, job.hidden_dropout)


def activate(job: Job, x: Tensor, bias: Tensor, width: int) -> Any:
    """The activation of the inner layer; without fusion bias, gate and function are operators of their own."""
    if job.fused_bias_act:
        return Activation.apply(x, bias, width)
    if bias is not None:
        x = x + bias
    if job.gated:
        gate, value = torch.chunk(x, 2, dim=-1)
        return torch.nn.functional.silu(gate) * value
    return torch.nn.functional.gelu(x)


class Mlp:
    """Norm, inner and outer layer; `ffn` is the inner width before it is cut."""

    def __init__(self, job: Job, new: Callable, ffn: Any, with_norm: bool = True) -> None:
        self.job, self.inner = job, ffn // job.tp
        self.fc2 = new(job.hidden, self.inner)
        self.fc2_bias = new(job.hidden) if job.linear_bias else None
        self.norm = new(job.hidden) if with_norm else None
        self.norm_bias = new(job.hidden) if with_norm and job.layernorm else None
        wide = self.inner * (2 if job.gated else 1)
        self.fc1 = new(wide, job.hidden)
        self.fc1_bias = new(wide) if job.linear_bias else None
        self.more_fc1 = adapter(job, new, "linear_fc1", job.hidden, wide, "column")
        self.more_fc2 = adapter(job, new, "linear_fc2", self.inner, job.hidden, "row")

    def forward(self, x: Tensor) -> tuple:
        job = self.job
        if self.norm is not None:
            x = Norm.apply(x, self.norm, self.norm_bias)
        return self.inner_part(x), self.fc2_bias

    def inner_part(self, x: Tensor) -> Any:
        job = self.job
        wide = Column.apply(x, self.fc1, self.fc1_bias, job, job.te, job.sequence_parallel)
        wide = added(self.more_fc1, wide, x)
        del x
        narrow = activate(job, wide, self.fc1_bias if not job.te else None, self.inner)
        del wide
        out = Row.apply(narrow, self.fc2, job, job.te, job.sequence_parallel)
        return added(self.more_fc2, out, narrow)
